// Package models is the one table of the providers of language models, and of their
// models: addresses, keys, protocols, limits, prices. It is data. It opens nothing and
// asks nobody.
//
//	m, ok := models.Builtin().Model("OpenAI", "gpt-4o-mini")
//	if ok && m.Context > 0 { … }
//
// What is not known is zero: a limit of 0, a Support of Unknown, Prices of nil. No fact
// in it is guessed. Each row names the document that it was copied from, and when.
//
// [Table.With] adds what a user knows: their own providers and newer facts. A nil
// *Table is the built-in one.
package models
