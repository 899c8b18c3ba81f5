// Prints a shell script with the commands of a guide, to be run in a throw-away root: the blocks marked `sh server` as they
// stand, in one shell as a reader has it. Blocks marked `sh server real` are left out; a function of guide.sh stands in for
// some of them.
import { readFileSync } from 'node:fs'
import { codeBlocks } from '../test/support/blocks.ts'

const [guide] = process.argv.slice(2)
const text = readFileSync(guide, 'utf8')
const lines = text.split('\n')

/** The replacements of these commands on a throw-away root. */
const standIns = [
  [/^certbot certonly --standalone --domain (\S+)$/m, 'issue_certificate'],
  [/^systemctl enable --now (.+)$/m, 'start_units'],
]

function standInsFor(code) {
  return standIns.flatMap(([command, name]) => {
    const found = command.exec(code)
    return found ? [`${name} ${found[1]}\n`] : []
  })
}

function step({ info, code, line }) {
  const place = `'${guide}:${line}'`
  if (info === 'sh server real') return [`left_out ${place}\n`, ...standInsFor(code)]
  // The reader is in a clone here, but the shell of the earlier steps is not.
  const folder = /\bIn a clone:$/.test(lines[line - 3] ?? '') ? ['cd /opt/nuqta\n'] : []
  return [...folder, `step ${place}\n`, code]
}

const blocks = codeBlocks(text).filter(({ info }) => /^sh server( real)?$/.test(info))
console.log(['. /checkout/.ci/guide.sh\n', ...blocks.flatMap(step), 'end_of_guide\n'].join(''))
