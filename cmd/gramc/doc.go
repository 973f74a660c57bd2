// Command gramc checks, compiles and runs agents that are written in gram.
//
//	gramc check agent.gram
//	gramc run --offline agent.gram "Hello, I am Ada"
//
// It is the command line of the packages grammar, compile and interp. Go programs
// import package gramc instead; editors start gram-lsp.
//
// Results are written to standard output and everything else to standard
// error, so that a pipe gets only results. The exit code is
//
//	0    all is well
//	1    the file has errors, or the arguments do not fit
//	2    wrong usage, or a file that cannot be read or written
//	3    the run failed
//	4    the run waits for the approval of a call
//	70   a bug of gramc
//	130  interrupted by Ctrl-C, SIGTERM or SIGHUP
package main
