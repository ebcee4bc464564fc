//go:build unix

package project

import "syscall"

const nonblock = syscall.O_NONBLOCK
