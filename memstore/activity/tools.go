package activity

import (
	"strings"
	"unicode"
)

// use says what a tool is good for.
type use int

const (
	useNone   use = iota // bookkeeping of the agent; tells nothing of the work
	useRecall            // brings back what is remembered already
	useEdit
	useCommand
	useSearch
	useRead
	useNote
	useOther // something this package does not know
)

// toolUse is the table of the tools that agents are known to have, by name in
// lower case.
func toolUse(name string) (use, bool) {
	switch name {
	case "edit", "write", "multiedit", "notebookedit", // Claude Code
		"apply_patch",           // Codex
		"write_file", "replace", // Gemini CLI
		"patch",                                      // opencode
		"edit_file", "delete_file", "search_replace", // Cursor
		"replace_string_in_file", "create_file", // VS Code
		"insert_edit_into_file", "create_new_jupyter_notebook":
		return useEdit, true
	case "bash", "bashoutput", "powershell", "killshell", "killbash", "shell", "exec_command", "run_shell_command",
		"run_terminal_cmd", "run_in_terminal":
		return useCommand, true
	case "grep", "glob", "ls", "websearch", "toolsearch", "search_file_content", "list_directory", "google_web_search",
		"list", "codebase_search", "grep_search", "file_search", "list_dir", "sp_search":
		return useSearch, true
	case "read", "notebookread", "webfetch", "view_image", "read_file", "read_many_files", "web_fetch",
		"sp_map", "sp_symbol", "sp_lines", "sp_outline":
		return useRead, true
	case "sp_recall", "sp_search_memory", "sp_timeline", "sp_observations", "sp_lessons",
		"search_thoughts", "list_thoughts", "fetch", "thought_stats":
		return useRecall, true
	case "sp_remember", "sp_forget", "capture_thought", "save_memory":
		return useNote, true
	case "sp_savings", "sp_budget", "sp_mindmap", "sp_dashboard", "task", "agent", "todowrite", "todoread",
		"exitplanmode", "enterplanmode", "askuserquestion", "update_plan":
		return useNone, true
	}
	return useNone, false
}

// classify returns what a tool of any name is good for: by the table, else by
// the whole words of its name.
func classify(name string) use {
	if u, ok := toolUse(strings.ToLower(name)); ok {
		return u
	}
	words := map[string]bool{}
	for _, w := range camelWords(name, 1) {
		words[w] = true
	}
	any := func(list ...string) bool {
		for _, w := range list {
			if words[w] {
				return true
			}
		}
		return false
	}
	switch {
	case any("todo", "todos", "plan"):
		return useNone
	case any("edit", "write", "create", "replace", "patch"):
		return useEdit
	case any("run", "exec", "bash", "shell", "command"):
		return useCommand
	case any("search", "grep", "find", "glob", "query"):
		return useSearch
	case any("read", "open", "view", "cat", "fetch", "get", "list"):
		return useRead
	}
	return useOther
}

// splitLabel returns the tool a label names, without the server that hosts
// say before it, and what it was applied to.
func splitLabel(label string) (tool, what string) {
	tool, what, _ = strings.Cut(collapse(label), " ")
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if _, name, ok := strings.Cut(rest, "__"); ok && name != "" {
			tool = name
		}
	}
	return tool, what
}

// camelWords splits a name at what is no letter or digit and at camelCase, in
// lower case, and keeps words of at least n characters.
func camelWords(name string, n int) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) >= n {
			out = append(out, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			flush()
			continue
		}
		if unicode.IsUpper(r) && i > 0 {
			lower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if p := runes[i-1]; unicode.IsLower(p) || unicode.IsDigit(p) || unicode.IsUpper(p) && lower {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return out
}
