import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { errorCode } from '../lib/errors.ts'
import { isSecretName, type SettingName, unknownNames } from './names.ts'

/** Settings given as flags of the command line, as typed. */
export interface Flags {
  readonly data_dir?: string | undefined
  readonly environment?: string | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly role?: string | undefined
}

const flagOf: Partial<Record<SettingName, keyof Flags>> = {
  NUQTA_DATA_DIR: 'data_dir',
  NUQTA_ENVIRONMENT: 'environment',
  NUQTA_PORT: 'port',
  NUQTA_HOST: 'host',
  NUQTA_ROLE: 'role',
}

type Texts = Readonly<Record<string, string | undefined>>

/**
 * The texts of all settings, from flags, environment and `.env`, in this order of precedence, and the mistakes found
 * while they are read: all of them, so that they can be put right at once.
 */
export class Sources {
  readonly mistakes: string[] = []
  readonly cwd: string
  readonly #flags: Flags
  readonly #levels: readonly { readonly where: string; readonly texts: Texts }[]

  constructor(env: Texts, flags: Flags, cwd: string) {
    this.cwd = cwd
    this.#flags = flags
    this.#levels = [
      { where: '', texts: env },
      { where: ' (in .env)', texts: this.#readDotEnv() },
    ]
    const given = new Set(this.#levels.flatMap(({ texts }) => Object.keys(texts)))
    for (const { name, nearest } of unknownNames([...given]))
      this.mistakes.push(`${name} is not a setting; did you mean ${nearest}?`)
  }

  /** The text of a setting, trimmed; `undefined` when it is not given. A blank one counts as not given. */
  text(name: SettingName): string | undefined {
    const flag = flagOf[name]
    const flagged = flag === undefined ? undefined : this.#flags[flag]?.trim()
    if (flagged !== undefined && flagged !== '') return flagged
    for (const { where, texts } of this.#levels) {
      const own = texts[name]?.trim()
      const file = isSecretName(name) ? texts[`${name}_FILE`]?.trim() : undefined
      if (own && file) this.mistake(name, `is given twice: as ${name} and as ${name}_FILE${where}`)
      if (own) return own
      if (file) return this.#readSecretFile(name, file)
    }
    return undefined
  }

  /** Whether a setting is given in any form, also when its value or its file cannot be used. */
  isGiven(name: SettingName): boolean {
    const flag = flagOf[name]
    if (flag !== undefined && this.#flags[flag]?.trim()) return true
    const names = isSecretName(name) ? [name, `${name}_FILE`] : [name]
    return this.#levels.some(({ texts }) => names.some((one) => texts[one]?.trim()))
  }

  /** Notes what is wrong with a setting, once; `what` goes on where the name stops. */
  mistake(name: string, what: string): undefined {
    const mistake = `${name} ${what}`
    if (!this.mistakes.includes(mistake)) this.mistakes.push(mistake)
    return undefined
  }

  /** An absolute path, from the working directory when relative. */
  path(text: string): string {
    return resolve(this.cwd, text)
  }

  #readSecretFile(name: SettingName, file: string): string | undefined {
    const text = this.readFile(`${name}_FILE`, file)?.trim()
    if (text === '') return this.mistake(`${name}_FILE`, `names an empty file: ${file}`)
    return text
  }

  /** The text of a file that a setting names; a mistake when it cannot be read. */
  readFile(name: string, file: string): string | undefined {
    try {
      return readFileSync(this.path(file), 'utf8')
    } catch (error) {
      return this.mistake(name, `names a file that cannot be read: ${file} (${codeOf(error)})`)
    }
  }

  #readDotEnv(): Texts {
    try {
      return parseEnv(readFileSync(this.path('.env'), 'utf8'))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.mistakes.push(`.env cannot be read (${codeOf(error)})`)
      return {}
    }
  }
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error)
}
