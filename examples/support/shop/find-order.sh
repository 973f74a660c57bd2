# Prints an order, or null where there is none: find-order.sh ORDER.
if [ -f "orders/$1.json" ]; then
	cat "orders/$1.json"
else
	echo null
fi
