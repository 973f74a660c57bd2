package lsp

import "strings"

// This file finds the single changes that formatting makes, so that a part of a
// document can be formatted alone. They change whitespace, and the order of what
// is around comments.

// formattingChanges returns the changes that make a text of another, in the order
// of the text: of each run of whitespace, and of what changed places around a
// comment, which is bytes that both have taken in whatever order.
func formattingChanges(text, laid string) []byteChange {
	var list []byteChange
	var ahead [256]int // how many of each byte the one has taken and the other has not
	open := 0          // bytes that are not even
	note := func(b byte, n int) {
		if ahead[b] == 0 {
			open++
		}
		if ahead[b] += n; ahead[b] == 0 {
			open--
		}
	}
	i, j, from, to := 0, 0, 0, 0 // what is read; where what has not been even since starts
	for {
		nextI, nextJ := skipWhitespace(text, i), skipWhitespace(laid, j)
		ends := nextI == len(text) || nextJ == len(laid)
		if open == 0 && (text[from:i] == laid[to:j] || nextI > i && nextJ > j || ends) {
			if text[from:i] != laid[to:j] {
				list = append(list, byteChange{from, i, laid[to:j]})
			}
			list = appendLineChanges(list, i, text[i:nextI], laid[j:nextJ])
			from, to = nextI, nextJ
		}
		if i, j = nextI, nextJ; ends {
			break
		}
		note(text[i], 1)
		note(laid[j], -1)
		i, j = i+1, j+1
	}
	if text[from:] != laid[to:] {
		list = append(list, byteChange{from, len(text), laid[to:]})
	}
	return list
}

func skipWhitespace(text string, i int) int {
	for i < len(text) && strings.IndexByte(whitespace, text[i]) >= 0 {
		i++
	}
	return i
}

// appendLineChanges adds the change of a run of whitespace: of as many lines each
// by itself.
func appendLineChanges(list []byteChange, start int, before, after string) []byteChange {
	lineEnd := "\n"
	if strings.Contains(before, "\r\n") {
		lineEnd = "\r\n"
	}
	old, laid := strings.Split(before, lineEnd), strings.Split(after, lineEnd)
	if len(old) != len(laid) || strings.ContainsAny(strings.Join(append(old, laid...), ""), "\r\n") {
		old, laid = []string{before}, []string{after}
	}
	for i, line := range old {
		if line != laid[i] {
			list = append(list, byteChange{start, start + len(line), laid[i]})
		}
		start += len(line) + len(lineEnd)
	}
	return list
}
