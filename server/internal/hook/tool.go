package hook

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// Bounds of what is kept of a tool's arguments.
const (
	maxFiles    = 50
	maxFileName = 4096 // bytes
	maxPlan     = 20
	maxPlanStep = 200 // UTF-16 units
)

// Tool is the event of a tool that starts or was used: its name and what it was applied to, the files it names and the plan it
// states. Session, agent, time and what came of it are the caller's. Input is the JSON of its arguments, of any shape.
func Tool(kind activity.EventKind, name string, input json.RawMessage) activity.Event {
	name = line(name, maxFirstLine)
	if name == "" {
		name = "tool"
	}
	name = strings.ReplaceAll(name, " ", "_") // the label's first word
	t := toolOf(bareName(name))
	in := objectOf(input)
	e := activity.Event{Kind: kind}
	if t.does == patches {
		e.Data.Files = patched(input)
		e.Label = line(name+" "+strings.Join(e.Data.Files, " "), maxLabel)
		return e
	}
	e.Label = line(name+" "+in.subject(t), maxLabel)
	e.Data.Files = in.files(t)
	if t.does == plans {
		e.Data.Plan = in.plan()
	}
	return e
}

// bareName returns a tool's name without the server that hosts say before it.
func bareName(name string) string {
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if _, tool, ok := strings.Cut(rest, "__"); ok && tool != "" {
			return tool
		}
	}
	return name
}

// tool says what a label and a list of files take from a tool's arguments.
type tool struct {
	does does
	// subject names the arguments that stand in the label, in order; of those with a bar between, the first that is there.
	subject string
}

type does int

const (
	somethingElse does = iota
	readsFile
	editsFile
	patches // several files, named in the text of a patch
	runs
	searches
	plans
)

// Where tools keep a file's name. A bare "path" may as well be a folder.
const (
	fileArguments = "file_path|notebook_path|filePath|absolute_path"
	anyFile       = fileArguments + "|path|file"
)

// toolOf is the table of the tools whose arguments are known; of another, the label takes what most likely is the subject.
func toolOf(name string) tool {
	switch strings.ToLower(name) {
	case "read", "notebookread", "read_file", "view_image":
		return tool{readsFile, anyFile}
	case "edit", "write", "multiedit", "notebookedit", "write_file", "replace", "edit_file", "delete_file", "search_replace",
		"replace_string_in_file", "create_file", "insert_edit_into_file":
		return tool{editsFile, anyFile}
	case "apply_patch", "patch":
		return tool{patches, ""}
	case "bash", "powershell", "shell", "exec_command", "run_shell_command", "run_terminal_cmd", "run_in_terminal":
		return tool{runs, "command|cmd"}
	case "grep", "glob", "toolsearch", "websearch", "search_file_content", "google_web_search", "codebase_search",
		"grep_search", "file_search":
		return tool{searches, "pattern|query"}
	case "ls", "list", "list_dir", "list_directory":
		return tool{searches, "path|dir_path"}
	case "webfetch", "web_fetch":
		return tool{somethingElse, "url|prompt"}
	case "task", "agent":
		return tool{somethingElse, "description|subagent_type"}
	case "todowrite", "update_plan":
		return tool{plans, ""}
	case "sp_symbol":
		return tool{readsFile, "file symbol"}
	case "sp_lines":
		return tool{readsFile, "file start end"}
	case "sp_map", "sp_mindmap", "sp_savings", "sp_dashboard", "sp_lessons", "thought_stats":
		return tool{somethingElse, "root"}
	case "sp_remember":
		return tool{somethingElse, "fact"}
	case "sp_forget":
		return tool{somethingElse, "name"}
	case "sp_timeline":
		return tool{somethingElse, "around"}
	case "sp_observations":
		return tool{somethingElse, "ids"}
	case "sp_search", "sp_recall", "sp_search_memory", "search_thoughts":
		return tool{searches, "query"}
	case "capture_thought":
		return tool{somethingElse, "content"}
	case "fetch":
		return tool{somethingElse, "id|url"}
	}
	return tool{somethingElse, fileArguments + "|file|path|command|pattern|query|url|name|description"}
}

// subject returns what stands in a label after the tool's name.
func (o object) subject(t tool) string {
	var words []string
	for alternatives := range strings.FieldsSeq(t.subject) {
		for key := range strings.SplitSeq(alternatives, "|") {
			word := scalar(o[key])
			if t.does == runs {
				word = command(o[key])
			}
			if word != "" {
				words = append(words, word)
				break
			}
		}
	}
	return strings.Join(words, " ")
}

// scalar returns a text, a number or a truth in one line, and of a list its elements; of anything else nothing.
func scalar(raw json.RawMessage) string {
	switch {
	case len(raw) == 0 || raw[0] == '{' || string(raw) == "null":
		return ""
	case raw[0] == '"':
		return line(textOf(raw), maxLabel)
	case raw[0] != '[':
		return line(string(raw), maxLabel)
	}
	var words []string
	for _, element := range listOf(raw) {
		if len(element) > 0 && element[0] != '[' && len(words) < maxLabel {
			if word := scalar(element); word != "" {
				words = append(words, word)
			}
		}
	}
	return line(strings.Join(words, " "), maxLabel)
}

// command returns how a command begins; one that is given as a list and hands a script to a shell is that script.
func command(raw json.RawMessage) string {
	if list := listOf(raw); len(list) == 3 && strings.HasPrefix(textOf(list[1]), "-") && strings.HasSuffix(textOf(list[1]), "c") {
		raw = list[2]
	}
	return line(scalar(raw), maxCommand)
}

// files returns the files that a tool's arguments name; a folder or a pattern is none.
func (o object) files(t tool) []string {
	keys := fileArguments
	switch t.does {
	case readsFile, editsFile:
		keys = anyFile
	case runs, searches, plans:
		return nil
	}
	var files []string
	for key := range strings.SplitSeq(keys, "|") {
		files = addFile(files, o.text(key))
	}
	if t.does == editsFile {
		for _, edit := range listOf(o["edits"]) {
			files = addFile(files, objectOf(edit).text("file_path"))
		}
	}
	return files
}

// addFile adds what can be a file's name and is not there yet.
func addFile(files []string, name string) []string {
	if name == "" || len(name) > maxFileName || len(files) == maxFiles || strings.ContainsAny(name, "\x00\n\r") || slices.Contains(files, name) {
		return files
	}
	return append(files, name)
}

// patched returns the files that a patch names, wherever in the arguments it stands.
func patched(input json.RawMessage) []string {
	texts := []string{textOf(input)}
	in := objectOf(input)
	for _, key := range []string{"input", "patch", "patchText", "command"} {
		texts = append(texts, in.text(key))
		for _, element := range listOf(in[key]) {
			texts = append(texts, textOf(element))
		}
	}
	var files []string
	for _, text := range texts {
		for row := range strings.Lines(text) {
			for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
				if name, ok := strings.CutPrefix(row, mark); ok {
					files = addFile(files, strings.TrimSpace(name))
				}
			}
		}
	}
	return addFile(files, in.text("file_path"))
}

// plan returns the steps of a list of things to do.
func (o object) plan() []string {
	var steps []string
	for _, list := range []string{"todos", "plan"} {
		for _, raw := range listOf(o[list]) {
			todo := objectOf(raw)
			step := line(todo.text("content")+todo.text("step"), maxPlanStep)
			if step != "" && len(steps) < maxPlan {
				steps = append(steps, step)
			}
		}
	}
	return steps
}
