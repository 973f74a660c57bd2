// Package process runs the programs of tools: in a process group of their
// own that ends as a whole, with an environment that holds no secrets of ours,
// and with limits on what they may say.
//
//	out, err := process.Run(ctx, process.Command{Args: []string{"/usr/bin/wc", "-l"}}, text, 1<<20)
//
// On Unix the group is a process group: a grandchild that starts a session of
// its own (setsid) leaves it and is not ended. On Windows it is a job.
package process
