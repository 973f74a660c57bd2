# Prints the number of a ticket. It is made of the arguments, so that the same ticket has the same.
echo "T-$(cksum | cut -d ' ' -f 1)"
