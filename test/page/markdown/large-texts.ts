const N = 200_000

/** Texts that take a reader more than linear time, or more depth than a stack has. */
export const LARGE_TEXTS: { readonly [name: string]: string } = {
  'one line of a megabyte': 'word '.repeat(N),
  'one word of a megabyte': 'a'.repeat(1_000_000),
  'a megabyte of lines': 'a line\n'.repeat(150_000),
  'a megabyte of paragraphs': 'a line\n\n'.repeat(125_000),
  'a megabyte of items': '- an item of some words\n'.repeat(42_000),
  'nested quotes': '> '.repeat(10_000),
  'nested quotes without spaces': '>'.repeat(N),
  'nested lists in a line': '- '.repeat(10_000),
  'nested lists': Array.from({ length: 10_000 }, (_, n) => `${' '.repeat(2 * n)}- a`)
    .join('\n')
    .slice(0, 1_000_000),
  'nested quotes, line by line': Array.from({ length: 600 }, (_, n) => `${'>'.repeat(n)} a`).join(
    '\n',
  ),
  'quotes with lists': Array.from({ length: 300 }, (_, n) => `${'> - '.repeat(n)}a`).join('\n'),
  'a table of many cells': `|${'a|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|\n'.repeat(N / 2)}`,
  'many tables': '|a|\n|-|\n'.repeat(N / 8),
  'a table that never begins': '|a\n'.repeat(N / 3),
  stars: '*'.repeat(N),
  emphasis: '**a *b '.repeat(N / 7),
  'ends of emphasis': 'a**b*c_d'.repeat(N / 8),
  brackets: '['.repeat(N),
  'links that do not end': '[a]('.repeat(N / 4),
  'images that do not end': '!['.repeat(N / 2),
  'code spans': Array.from({ length: 600 }, (_, n) => '`'.repeat(n + 1)).join(' '),
  addresses: 'http://a '.repeat(N / 9),
  dollars: '$a '.repeat(N / 3),
  'double dollars': '$$\n'.repeat(N / 3),
  'formulas that do not end': '\\(a \\[b '.repeat(N / 8),
  references: '&#'.repeat(N / 2),
  'names of addresses': Array.from({ length: N / 12 }, (_, n) => `[a${n}]: b`).join('\n'),
  fences: '```\n'.repeat(N / 4),
  rules: '* * *\n'.repeat(N / 6),
  dashes: '-'.repeat(N),
  'white space': ' '.repeat(N),
  'empty lines': '\n'.repeat(N),
  tags: '<div>\n'.repeat(N / 6),
  comments: '<!--'.repeat(N / 4),
}
