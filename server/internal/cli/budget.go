package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

func budgetVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "budget",
		Short: "Print how full the context window is (sp_budget), or set what it holds",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.callTool(cmd.Context(), "sp_budget", map[string]any{}, 0)
		},
	}
	cmd.AddCommand(budgetSet(p))
	return cmd
}

func budgetSet(p *program) *cobra.Command {
	var target, warn, compact int
	var model string
	cmd := &cobra.Command{
		Use:     "set",
		Short:   "Set the window and the thresholds in budget.json",
		Example: "  slipstream budget set --model claude-sonnet-4\n  slipstream budget set --target 120000 --warn 50 --compact 80",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			changed := cmd.Flags().Changed
			switch {
			case !changed("target") && !changed("warn") && !changed("compact") && model == "":
				return errors.New("budget set needs --target, --model, --warn or --compact")
			case changed("target") && model != "":
				return errors.New("--target and --model both say how large the window is")
			case changed("target") && target < budget.MinTarget:
				return fmt.Errorf("--target: %d is less than %d", target, budget.MinTarget)
			case changed("warn") && (warn < 1 || warn > 99):
				return fmt.Errorf("--warn: %d is not between 1 and 99", warn)
			case changed("compact") && (compact < 1 || compact > 100):
				return fmt.Errorf("--compact: %d is not between 1 and 100", compact)
			}
			if model != "" {
				tokens, ok := budget.Window(model)
				if !ok {
					return fmt.Errorf("--model: %q is of no family known here; give its window with --target", model)
				}
				target = tokens
			}
			if err := p.setBudget(cmd.Context(), target, warn, compact); err != nil {
				return failure{err}
			}
			return p.callTool(cmd.Context(), "sp_budget", map[string]any{}, 0)
		},
	}
	cmd.Flags().IntVar(&target, "target", 0, "tokens the window holds, 1000 or more")
	cmd.Flags().StringVar(&model, "model", "", "a model whose window is known, in place of --target")
	cmd.Flags().IntVar(&warn, "warn", 0, "percent from which the level is warn, 1 to 99")
	cmd.Flags().IntVar(&compact, "compact", 0, "percent from which the level is compact, 1 to 100")
	return cmd
}

// setBudget changes what is not 0 in the project's budget file.
func (p *program) setBudget(ctx context.Context, target, warn, compact int) error {
	deps, err := p.open(nil, 0)
	if err != nil {
		return err
	}
	defer deps.Memories.Close()
	at, err := deps.Memories.Locate("")
	if err != nil {
		return err
	}
	if err := deps.Memories.Prepare(ctx, at); err != nil {
		return err
	}
	b, err := settings.LoadBudget(at)
	if err != nil {
		return fmt.Errorf("%w; mend or remove it first", err)
	}
	pick := func(now, then int) float64 {
		if now != 0 {
			return float64(now)
		}
		return float64(then)
	}
	b.Limits = budget.Sanitize(pick(target, b.TargetTokens), pick(warn, b.WarnPct), pick(compact, b.CompactPct))
	root, err := at.OpenRoot()
	if err != nil {
		return err
	}
	defer root.Close()
	store := lockedfile.Store{LockPath: lockedfile.LockName, FS: lockedfile.Rooted(root)}
	return store.WriteFile(ctx, settings.BudgetFile, settings.EncodeBudget(b))
}
