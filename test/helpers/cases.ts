/** Whether a test tries all combinations of its cases: the tier "cases" does, the default one takes few of them. */
export const HAS_ALL_CASES = process.env['ALL_CASES'] === '1'
