# Lists articles that have one of the longer words of a question: search-knowledge.sh QUESTION LIMIT.
words=$(echo "$1" | tr -cs '[:alpha:]' '\n' | grep -E '.{4}' | tr '\n' '|')
[ -n "$words" ] || { echo '[]'; exit; }
grep -i -E "${words%|}" articles.txt | head -n "$2" | {
	list=
	while IFS= read -r article; do list="$list${list:+, }$article"; done
	echo "[$list]"
}
