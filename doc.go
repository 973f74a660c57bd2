// Package gramc is the root of the gram toolchain. It holds no code, only the
// tests that look at the module as a whole; docs/architecture.md is the map.
package gramc
