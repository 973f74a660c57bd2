# Lists the titles of the articles that have a word: search.sh LINES WORD.
# LINES says which lines count: 1 is the title, 1,$ is everything.
found=
for article in articles/*.txt; do
	if sed -n "$1p" "$article" | grep -q -i -F -e "$2"; then
		found="$found${found:+, }\"$(head -n 1 "$article")\""
	fi
done
echo "[$found]"
