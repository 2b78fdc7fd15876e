import { describePythonTests } from '../helpers/python.ts'

describePythonTests('the test kit in Python', 'test/python-package')
