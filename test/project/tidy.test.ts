import { describe, expect, it } from 'vitest'
import { functionLengths, parseFile, place, texts, undocumented, walk } from '../support/syntax.ts'
import { quantile, readTree, type SourceFile } from '../support/tree.ts'

// Tighten these as the code allows; never loosen one to let a change pass.
const limits = {
  source_file_lines: 300,
  test_file_lines: 600,
  median_file_lines: 120,
  ninth_tenth_file_lines: 250,
  function_lines: 70,
  ninth_tenth_function_lines: 40,
}

// Files allowed to be longer, each with the length that it may not pass: only tables, which are read row by row.
const longFiles: Readonly<Record<string, number>> = { 'src/http/api/errors.ts': 360 }

const generated = ['src/db/schema.ts']
const code = readTree('{src,test,bench}/**/*.{ts,tsx}', '*.ts').filter(({ path }) => !generated.includes(path))
const parsed = code.map(parseFile)
const isTest = ({ path }: SourceFile) => path.startsWith('test/') || path.endsWith('.test.ts')
const source = parsed.filter(({ file }) => file.path.startsWith('src/') && !isTest(file))
const prose = readTree('*.md', 'docs/**/*.md', 'migrations/*.sql', 'tools/*.{mjs,json}', '*.json', '.ci/*', 'bin/*')

const within = (folders: readonly string[]) =>
  source.filter(({ file }) => folders.some((folder) => file.path.startsWith(folder)))

/** Every place where `pattern` is found. */
function search(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    [...file.text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(
      (match) => `${place(file, match.index)} ${match[0]}`,
    ),
  )
}

describe('the input of these checks', () => {
  it('is the whole project, in every room', () => {
    for (const room of ['src/domain/', 'src/db/', 'src/http/', 'src/features/'])
      expect(within([room]).length, room).toBeGreaterThan(0)
    expect(source.length).toBeGreaterThan(20)
    expect(code.filter(isTest).length).toBeGreaterThan(10)
    expect(prose.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'bin/nuqta', '.ci/run']))
  })

  it('is understood: functions and texts are found in it', () => {
    expect(parsed.flatMap(functionLengths).length).toBeGreaterThan(code.length)
    expect(parsed.flatMap(texts).length).toBeGreaterThan(code.length)
  })
})

describe('files are short enough to be read in one sitting', () => {
  it('none is longer than its limit', () => {
    const limitOf = (file: SourceFile) => (isTest(file) ? limits.test_file_lines : limits.source_file_lines)
    const long = code.filter((file) => file.lines > (longFiles[file.path] ?? limitOf(file)))
    expect(long.map(({ path, lines }) => `${path} has ${lines} lines`)).toEqual([])
  })

  it('a file that has become short leaves the list of long ones', () => {
    const lengths = new Map(code.map(({ path, lines }) => [path, lines]))
    for (const path of Object.keys(longFiles))
      expect(lengths.get(path), `${path} need not be listed`).toBeGreaterThan(limits.source_file_lines)
  })

  it('most are far shorter', () => {
    const lengths = source.map(({ file }) => file.lines)
    expect(quantile(lengths, 0.5)).toBeLessThanOrEqual(limits.median_file_lines)
    expect(quantile(lengths, 0.9)).toBeLessThanOrEqual(limits.ninth_tenth_file_lines)
  })
})

describe('functions do one thing', () => {
  it('none is longer than its limit, tests included', () => {
    const long = parsed.flatMap(functionLengths).filter(({ lines }) => lines > limits.function_lines)
    expect(long.map(({ at, lines }) => `${at} has ${lines} lines`)).toEqual([])
  })

  it('nine of ten are shorter than a screen', () => {
    const lengths = source.flatMap(functionLengths).map(({ lines }) => lines)
    expect(quantile(lengths, 0.9)).toBeLessThanOrEqual(limits.ninth_tenth_function_lines)
  })
})

describe('nothing is left for later', () => {
  it('no marks of unfinished work', () => {
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`)
    expect(search([...code, ...prose], marks)).toEqual([])
  })

  it('no test is skipped without a condition, and none runs alone', () => {
    expect(search(code.filter(isTest), /\b(it|test|describe|suite)\.(only|skip|todo|fails)\b/)).toEqual([])
  })

  it('the compiler and the linter are not silenced; only the formatter is, above a table', () => {
    expect(search(code, new RegExp(`@ts-${'(ignore|expect-error|nocheck)'}|biome-${'ignore'}(?! format: )`))).toEqual(
      [],
    )
  })

  it('no type is `any`, and no value is asserted with `!`', () => {
    const found = parsed.flatMap(({ file, program }) =>
      [...walk(program)]
        .filter(({ type }) => type === 'TSAnyKeyword' || type === 'TSNonNullExpression')
        .map((node) => place(file, node.start)),
    )
    expect(found).toEqual([])
  })
})

describe('tests wait for conditions, never for time', () => {
  const tests = code.filter(isTest)
  const timer = ['set', 'Timeout'].join('')
  const mayWait: Readonly<Record<string, string>> = {
    'test/support/leftovers.ts': 'asks for open sessions until they have ended',
    'test/support/receiver.ts': 'is a slow receiver, and ends a wait that is in vain',
    'test/support/wait.ts': 'asks for a condition until it holds, and is a client that rests',
  }

  it('no test sleeps: a few helpers poll, or are slow on purpose', () => {
    const sleeping = tests.filter(({ text }) => new RegExp(`\\b${timer}(\\(| as )`).test(text))
    expect(sleeping.map(({ path }) => path)).toEqual(Object.keys(mayWait))
  })

  it('no test expects a duration in milliseconds', () => {
    const clock = '(_ms|[Mm]illiseconds|[Ss]econds|took|elapsed|(performance|Date)\\.now)'
    const bound = new RegExp(
      `expect\\((?!await)[^\\n]*${clock}[^\\n]*\\)\\.toBe(Less|Greater)Than(OrEqual)?\\([\\d_]+\\)`,
    )
    expect(search(tests, bound)).toEqual([])
  })

  it('helpers add no hook when they are loaded: files share them, so only the first would get it', () => {
    const helpers = code.filter(({ path }) => path.startsWith('test/') && !path.endsWith('.test.ts'))
    expect(search(helpers, /^(?:before|after)(?:Each|All)\(/m)).toEqual([])
  })

  it('a file that replaces a module loads its own modules, and removes them for the next', () => {
    const mocking = tests.filter(({ text }) => /^vi\.mock\(/m.test(text))
    expect(mocking.length).toBeGreaterThan(0)
    for (const { path, text } of mocking) expect(text.match(/vi\.resetModules\(\)/g), path).toHaveLength(2)
  })

  it('no test is tried twice', () => {
    expect(search(code, /\bretry: *[\d(]/)).toEqual([])
  })
})

describe('the project speaks for itself', () => {
  it('names no folder of the machine on which it was written', () => {
    expect(search([...code, ...prose], /(?<![\w.$}*])\/(work|root|home|Users)\/\w+/)).toEqual([])
  })

  it('every exported function and class of the domain, the database and the ports has a docstring', () => {
    const ports = source.filter(({ file }) => /^src\/providers\/.*port\.ts$/.test(file.path))
    const documented = [...within(['src/domain/', 'src/db/']), ...ports]
    expect(documented.flatMap(undocumented)).toEqual([])
  })
})

describe('SQL lives in queries.ts and src/db', () => {
  // The benchmark's own statements measure the database without us.
  const service = source.filter(({ file }) => !file.path.startsWith('src/bench/'))
  const statement = new RegExp(
    [
      '\\bselect\\b[\\s\\S]*\\bfrom\\s+[\\w($]',
      '\\binsert\\s+into\\s+[\\w$]',
      '\\bupdate\\s+(only\\s+)?[\\w$]+(\\s+(as\\s+)?\\w+)?\\s+set\\b',
      '\\bdelete\\s+from\\s+[\\w$]',
      '\\b(lock|truncate|create|alter|drop)\\s+table\\b',
    ].join('|'),
    'i',
  )
  const builder = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/
  const mayHoldSql = ({ path }: SourceFile) => path.startsWith('src/db/') || /[/-]queries\.ts$/.test(path)

  it('and is found there', () => {
    const rooms = service.filter(({ file }) => mayHoldSql(file))
    expect(rooms.flatMap(texts).filter(({ text }) => statement.test(text)).length).toBeGreaterThan(5)
  })

  it('and nowhere else', () => {
    const others = service.filter(({ file }) => !mayHoldSql(file))
    const written = others.flatMap(texts).filter(({ text }) => statement.test(text))
    expect(written.map(({ at }) => at)).toEqual([])
    expect(
      search(
        others.map(({ file }) => file),
        builder,
      ),
    ).toEqual([])
  })

  it('and leans on nothing that several servers do not share', () => {
    const local =
      /pg_(try_)?advisory|pg_notify|\b(un)?listen\s+\w+\s*;|\bnotify\s+\w+\s*[,;]|\bcreate\s+(or\s+replace\s+)?trigger/i
    expect(service.flatMap(texts).filter(({ text }) => local.test(text))).toEqual([])
  })

  it('and modifies data one statement at a time, never in a WITH', () => {
    const nested = /\bas\s+(not\s+)?(materialized\s+)?\(\s*(insert|update|delete)\b/i
    expect(service.flatMap(texts).filter(({ text }) => nested.test(text))).toEqual([])
  })
})
