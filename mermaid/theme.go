package mermaid

// Theme is how a diagram is coloured: "dark", "light" or "contrast". Anything
// else means Dark.
type Theme string

// The themes.
const (
	Dark         Theme = "dark"
	Light        Theme = "light"
	HighContrast Theme = "contrast"
)

// directive returns the line that tells Mermaid the theme.
func (t Theme) directive() string {
	switch t {
	case Light:
		return lightTheme
	case HighContrast:
		return contrastTheme
	}
	return darkTheme
}

const (
	darkTheme = `%%{init: {"theme": "base", "themeVariables": {"darkMode": true, "background": "#0d1117", "primaryColor": "#0d1117", ` +
		`"primaryTextColor": "#f5f7fa", "primaryBorderColor": "#38bdf8", "lineColor": "#22d3ee", "fontFamily": "monospace"}}}%%` + "\n"
	lightTheme = `%%{init: {"theme": "base", "themeVariables": {"background": "#ffffff", "primaryColor": "#e0f2fe", ` +
		`"primaryTextColor": "#0f172a", "primaryBorderColor": "#0369a1", "lineColor": "#0e7490", "fontFamily": "monospace"}}}%%` + "\n"
	contrastTheme = `%%{init: {"theme": "base", "themeVariables": {"darkMode": true, "background": "#000000", "primaryColor": "#000000", ` +
		`"primaryTextColor": "#ffffff", "primaryBorderColor": "#ffff00", "lineColor": "#ffffff", "fontFamily": "monospace"}}}%%` + "\n"
)
