import { describePythonGrowth } from '../helpers/python.ts'

describePythonGrowth('what the shim makes of values of double the size', 'test/python')
describePythonGrowth('word-filter, over texts of double the size', 'test/extensions/word-filter')
describePythonGrowth('doc-context, over documents of double the size', 'test/features/doc-context')
describePythonGrowth('python-eval, over expressions of double the size', 'test/tools/python-eval')
