package compile

// lint tells of what is not wrong but probably not meant.
func (c *compiler) lint() {}
