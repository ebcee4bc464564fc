package mermaid

import "fmt"

// Theme is how a diagram is coloured: "dark", "light" or "contrast". Anything
// else means Dark.
type Theme string

// The themes. HighContrast is for a dark page and has no colour but yellow.
const (
	Dark         Theme = "dark"
	Light        Theme = "light"
	HighContrast Theme = "contrast"
)

// directive returns the line that tells Mermaid the theme.
func (t Theme) directive() string {
	const format = `%%%%{init: {"theme": "base", "themeVariables": {"darkMode": %t, "background": "%s", "primaryColor": "%s", ` +
		`"primaryTextColor": "%s", "primaryBorderColor": "%s", "lineColor": "%s", "fontFamily": "monospace"}}}%%%%` + "\n"
	switch t {
	case Light:
		return fmt.Sprintf(format, false, "#ffffff", "#e0f2fe", "#0f172a", "#0369a1", "#0e7490")
	case HighContrast:
		return fmt.Sprintf(format, true, "#000000", "#000000", "#ffffff", "#ffff00", "#ffffff")
	}
	return fmt.Sprintf(format, true, "#0d1117", "#0d1117", "#f5f7fa", "#38bdf8", "#22d3ee")
}

// mindmapDirective is directive for a mind map. There Mermaid gives each branch
// a hue, turned from that of the primary colour and a quarter darker, and draws
// boxes and lines in it: they stand out from a dark page only when that colour
// is light, with dark text on it.
func (t Theme) mindmapDirective() string {
	const format = `%%%%{init: {"theme": "base", "themeVariables": {"background": "%s", "primaryColor": "%s", ` +
		`"primaryTextColor": "%s", "fontFamily": "monospace"}}}%%%%` + "\n"
	switch t {
	case Light:
		return fmt.Sprintf(format, "#ffffff", "#d4e7f7", "#0f172a")
	case HighContrast:
		return fmt.Sprintf(format, "#000000", "#ffffff", "#000000")
	}
	return fmt.Sprintf(format, "#0d1117", "#e6f2fa", "#0d1117")
}
