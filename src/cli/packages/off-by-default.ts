import { runChild } from '../run-child.ts'

/**
 * Prints for each module whether its plugin is off by default, as far as its text says. Modules are parsed, and not run:
 * the person has not agreed to them yet. The plugin is the object or class named `plugin`, or the module itself.
 */
const PROGRAM = `
import ast, json, sys

def named(node, name):
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return any(isinstance(one, ast.Name) and one.id == name for one in targets)

def is_off(body):
    found = [node.value for node in body if named(node, "default_enabled")]
    return bool(found) and isinstance(found[-1], ast.Constant) and found[-1].value is False

def is_plugin_off(body):
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    made = [node.value for node in body if named(node, "plugin")]
    if made:
        made = made[-1].func if isinstance(made[-1], ast.Call) else made[-1]
    name = made.id if isinstance(made, ast.Name) else "plugin"
    if name in classes:
        return is_off(classes[name].body)
    return not made and is_off(body)

def read(path):
    try:
        with open(path, "rb") as file:
            return is_plugin_off(ast.parse(file.read()).body)
    except Exception:
        return False

print(json.dumps([read(path) for path in sys.argv[1:]]))
`

/** Which of these modules have a plugin that says `default_enabled = False`. */
export async function offByDefault(
  executable: string,
  modules: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const args = ['-I', '-c', PROGRAM, ...modules]
  const { out } = await runChild(executable, args, signal ? { signal } : {})
  const verdicts = JSON.parse(out) as readonly boolean[]
  return new Set(modules.filter((_, at) => verdicts[at]))
}
