/**
 * One text for all JSON that means the same: members sorted by name, no spaces. It walks without recursion, since what it
 * reads has not been checked yet and may be nested as deeply as a body has bytes.
 */
export function canonicalJson(value: unknown): string {
  const out: string[] = []
  const work: Piece[] = [{ value }]
  for (let piece = work.pop(); piece !== undefined; piece = work.pop()) {
    if ('text' in piece) out.push(piece.text)
    else out.push(open(piece.value, work))
  }
  return out.join('')
}

type Piece = { readonly text: string } | { readonly value: unknown }

/** Gives the text with which a value begins, and leaves the rest of it as work, in reverse. */
function open(value: unknown, work: Piece[]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const list = Array.isArray(value)
  const members: Piece[][] = list ? value.map((item: unknown) => [{ value: item }]) : sortedMembers(value)
  work.push({ text: list ? ']' : '}' })
  for (const [index, member] of members.toReversed().entries()) {
    for (const piece of member.toReversed()) work.push(piece)
    if (index < members.length - 1) work.push({ text: ',' })
  }
  return list ? '[' : '{'
}

function sortedMembers(value: object): Piece[][] {
  const entries: [string, unknown][] = Object.entries(value)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, member]) => [{ text: `${JSON.stringify(name)}:` }, { value: member }])
}
