import { expect, it } from 'vitest'
import { csvFile, csvRecord, readPages } from '../../src/lib/csv.ts'
import { exactNumber } from '../../src/lib/exact-number.ts'

it('quotes as RFC 4180 says, and ends records with CRLF', () => {
  expect(csvRecord(['a', 'b "c"', 'd,e', 'f\ng', null, 3, false])).toBe('a,"b ""c""","d,e","f\ng",,3,false\r\n')
})

it.each(['=1+1', '+966', '-1', '@cmd', '\tx', '\rx', '＝1+1'])('makes %j no formula', (text) => {
  expect(csvRecord([text]).replaceAll('"', '')).toBe(`'${text}\r\n`)
})

it('makes no formula behind what a spreadsheet may take for the end of a cell', () => {
  expect(csvRecord(['Tea;=1+1', 'Tea; @cmd;-1', 'Tea\n+1', 'Tea - green; black'])).toBe(
    `Tea;'=1+1,Tea;' @cmd;'-1,"Tea\n'+1",Tea - green; black\r\n`,
  )
})

it.each([';"=1+1;', 'Tea;"=HYPERLINK("http://x")', 'Tea\n"=1+1;', 'Tea;"@SUM(1)', 'Tea; "=1+1;', 'Tea;""=1+1;', '"=1'])(
  'leaves no formula in %j behind a quotation mark where semicolons separate cells',
  (text) => {
    // What such a spreadsheet reads: a quotation at the beginning of a cell, then the rest of it.
    const cells = csvRecord(['id', text, 'end']).split(/[;\r\n]/)
    const values = cells.map((cell) =>
      cell.replace(/^"((?:[^"]|"")*)"/, (_, quoted: string) => quoted.replaceAll('""', '"')),
    )
    expect(values.filter((value) => /^[ \u00a0]*[=+\-@]/.test(value))).toEqual([])
  },
)

it('leaves numbers below zero alone', () => {
  expect(csvRecord([-5])).toBe('-5\r\n')
})

it('begins with a byte order mark, and reads each page on demand', async () => {
  let reads = 0
  const pages = readPages<number>(2_500, async (last, limit) => {
    reads += 1
    return Array.from({ length: limit }, (_, index) => (last ?? 0) + index + 1)
  })
  const records = async function* () {
    for await (const page of pages) yield page.map((number) => [number])
  }
  const file = csvFile(['عدد'], records())
  expect((await file.next()).value).toBe('\ufeffعدد\r\n')
  expect(reads).toBe(0)
  await file.next()
  expect(reads).toBe(1)
  const parts: string[] = []
  for await (const part of file) parts.push(part)
  expect(parts.map((part) => part.trim().split('\r\n').length)).toEqual([1_000, 500])
})

it('stops reading when the reader leaves', async () => {
  let reads = 0
  const pages = readPages<number>(10_000, async (_last, limit) => {
    reads += 1
    return new Array(limit).fill(1)
  })
  for await (const page of pages) if (page.length > 0) break
  expect(reads).toBe(1)
})

it('writes the digits of a number that JavaScript cannot hold', () => {
  expect(csvRecord([exactNumber(-12_345_678_901_234_567_890n, 2)])).toBe('-123456789012345678.9\r\n')
})
