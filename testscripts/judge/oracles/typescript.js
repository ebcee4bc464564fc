// Asks the TypeScript compiler for every declaration of a source tree: node typescript.js ROOT OUT
const fs = require("fs");
const path = require("path");
const ts = require("typescript");

const Kind = ts.SyntaxKind;
const mostCharacters = 2e6;

function* sources(dir) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const name = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(name);
    else if (/\.(ts|tsx|mts|cts)$/.test(entry.name)) yield name;
  }
}

function declarations(file, text) {
  const all = [];
  const line = (pos) => file.getLineAndCharacterOfPosition(pos).line + 1;
  const isFunction = (node) => !!node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

  // whole is the statement that a declaration takes up alone, such as "const x = 1;".
  function add(node, name, kind, scope, inside, whole = node) {
    const start = whole.getStart(file);
    let bare = start; // behind the decorators
    const decorators = (ts.canHaveDecorators(whole) && ts.getDecorators(whole)) || [];
    if (decorators.length) {
      let end = decorators[decorators.length - 1].end;
      while (/\s/.test(text[end])) end++;
      bare = Math.max(start, end);
    }
    const modifiers = (ts.canHaveModifiers(whole) && ts.getModifiers(whole)) || [];
    all.push({
      n: name,
      q: scope.concat(name).join("."),
      k: kind,
      nl: line(node.name ? node.name.getStart(file) : node.getStart(file)),
      s: line(bare),
      ds: line(start),
      doc: line(whole.getStart(file, true)),
      e: line(whole.end),
      x: modifiers.some((m) => m.kind === Kind.ExportKeyword),
      top: scope.length === 0,
      fn: inside,
    });
  }

  const into = (node, scope, inside) => ts.forEachChild(node, (child) => visit(child, scope, inside));

  function visit(node, scope, inside) {
    const name = node.name?.text;
    switch (node.kind) {
      case Kind.FunctionDeclaration:
        if (name) add(node, name, "function", scope, inside);
        return into(node, scope.concat(name ?? "default"), true);
      case Kind.ClassDeclaration:
      case Kind.InterfaceDeclaration:
      case Kind.EnumDeclaration: {
        const kinds = { [Kind.ClassDeclaration]: "class", [Kind.InterfaceDeclaration]: "interface", [Kind.EnumDeclaration]: "enum" };
        if (name) add(node, name, kinds[node.kind], scope, inside);
        return into(node, scope.concat(name ?? "default"), inside);
      }
      case Kind.TypeAliasDeclaration:
        return add(node, name, "type", scope, inside);
      case Kind.ModuleDeclaration:
        if (node.name.kind === Kind.Identifier) add(node, name, "namespace", scope, inside);
        return into(node, scope.concat(name), inside);
      case Kind.MethodDeclaration:
      case Kind.GetAccessor:
      case Kind.SetAccessor:
      case Kind.Constructor: {
        const own = node.kind === Kind.Constructor ? "constructor" : name;
        if (own && ts.isClassDeclaration(node.parent)) add(node, own, "method", scope, inside);
        return into(node, scope.concat(own ?? "?"), true);
      }
      case Kind.PropertyDeclaration:
        if (name && ts.isClassDeclaration(node.parent)) {
          add(node, name, isFunction(node.initializer) ? "fieldfn" : "field", scope, inside);
        }
        return into(node, scope.concat(name ?? "?"), true);
      case Kind.VariableStatement: {
        const declared = node.declarationList.declarations;
        for (const d of declared) {
          const plain = ts.isIdentifier(d.name);
          if (plain && !inside) {
            add(d, d.name.text, isFunction(d.initializer) ? "varfn" : "var", scope, false, declared.length === 1 ? node : d);
          }
          if (d.initializer) visit(d.initializer, scope.concat(plain ? d.name.text : "?"), true);
        }
        return;
      }
      case Kind.FunctionExpression:
      case Kind.ArrowFunction:
        return into(node, scope, true);
      default:
        return into(node, scope, inside || (node.kind === Kind.Block && scope.length > 0));
    }
  }
  into(file, [], false);
  return all;
}

const [root, out] = process.argv.slice(2);
const lines = [];
for (const name of sources(root)) {
  const text = fs.readFileSync(name, "utf8");
  if (text.length > mostCharacters) continue;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length) continue; // the compiler refuses it: there is no truth about it
  lines.push(JSON.stringify({ f: path.relative(root, name), syms: declarations(file, text) }) + "\n");
}
fs.writeFileSync(out, lines.join(""));
