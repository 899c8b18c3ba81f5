/** A code block of a guide in Markdown. */
export interface Block {
  /** The words after the fence, such as `sh server`. */
  readonly info: string
  readonly code: string
  /** The line of its fence, from 1. */
  readonly line: number
}

/** The code blocks of a guide, those in lists included. */
export function codeBlocks(text: string): Block[] {
  return [...text.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```[ ]*$/gm)].map((found) => {
    const [, indent = '', info = '', code = ''] = found
    return {
      info: info.trim(),
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, found.index).split('\n').length,
    }
  })
}
