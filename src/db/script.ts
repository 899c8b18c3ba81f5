/** A string, a quoted name, a comment, a text between dollars, an end, or anything up to the next of these. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;|[^'"$;/-]+|[\s\S]/g
const comment = /^(--|\/\*)/

/**
 * The statements of an SQL text, without its comments. A cluster hands on the text that a change of the schema came in, so
 * each has to come alone.
 */
export function statementsOf(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [part] of `${sql}\n;`.matchAll(token)) {
    if (part === ';') {
      if (statement.trim() !== '') statements.push(statement.trim())
      statement = ''
    } else if (!comment.test(part)) statement += part
  }
  return statements
}
