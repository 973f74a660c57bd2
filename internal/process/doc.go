// Package process runs the programs of tools: each in its own process group, which
// is killed as a whole, with an environment without secrets, and with limits on
// its output.
//
//	out, err := process.Run(ctx, process.Command{Args: []string{"/usr/bin/wc", "-l"}}, text, 1<<20)
//
// A group ends with us, however we end. On Unix it is a process group: a
// grandchild that starts a session of its own (setsid) leaves it and is not
// killed. On Windows it is a job.
package process
