import type { Database } from '../../db/pool.ts'
import { auditUuidKinds, deployment_program_id } from '../../domain/audit.ts'
import { parseId, parseUuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { CliError } from '../../lib/errors.ts'
import { parseExactJson } from '../../lib/exact-number.ts'
import { listPrograms } from '../merchants/programs.ts'
import { type AuditRow, findChanges } from './queries.ts'

/** One change, for operators. */
export interface AuditView {
  /** ISO 8601, by the machine's clock. */
  readonly at: string
  readonly by: string
  readonly action: string
  readonly object: string
  readonly before: object | null
  readonly after: object | null
  /** Null for a change of the whole deployment. */
  readonly program_id: number | null
  readonly audit_id: Uuid
}

export interface AuditPage {
  readonly since_ms?: number | undefined
  /** `merchant:7`, `customer:<uuid>`, `deployment`, or a uuid alone. */
  readonly of?: string | undefined
  readonly before?: Uuid | undefined
  readonly size: number
}

/** A page of the changes of all programs and of the deployment, the newest first. */
export async function listChanges(db: Database, { since_ms, of, before, size }: AuditPage): Promise<AuditView[]> {
  const filter = {
    objects: of === undefined ? undefined : objectsOf(of.trim()),
    from: since_ms === undefined ? undefined : uuidV7Floor(since_ms),
  }
  const programs = [deployment_program_id, ...(await listPrograms(db)).map(({ program_id }) => program_id)]
  const found: AuditRow[] = []
  for (const program_id of programs) found.push(...(await db.run(findChanges(program_id, filter, { before, size }))))
  return found
    .sort((a, b) => (a.audit_id < b.audit_id ? 1 : -1))
    .slice(0, size)
    .map(viewChange)
}

/** The objects that a text names: itself, or with a uuid alone each kind that could have it. Undefined for no object. */
export function readObjects(text: string): string[] | undefined {
  const uuid = parseUuid(text)
  if (uuid !== null) return auditUuidKinds.map((kind) => `${kind}:${uuid}`)
  const [, kind, id = ''] = /^([a-z]+):(.+)$/.exec(text) ?? []
  const isNumbered = (kind === 'merchant' || kind === 'program') && parseId(id) !== null
  const named = parseUuid(id)
  if (text === 'deployment' || isNumbered) return [text]
  if (named !== null && auditUuidKinds.some((one) => one === kind)) return [`${kind}:${named}`]
  return undefined
}

function objectsOf(text: string): string[] {
  const found = readObjects(text)
  if (found !== undefined) return found
  const kinds = auditUuidKinds.map((one) => `${one}:UUID`).join(', ')
  throw new CliError(`${text} is not an object of the audit log: give merchant:ID, program:ID, ${kinds} or deployment.`)
}

/** What was recorded of one side of a change. */
export function readSide(json: string | null): object | null {
  return json === null ? null : (parseExactJson(json) as object)
}

function viewChange({ created_at, actor, action, object, before, after, program_id, audit_id }: AuditRow): AuditView {
  return {
    at: created_at.toISOString(),
    by: actor,
    action,
    object,
    before: readSide(before),
    after: readSide(after),
    program_id: program_id === deployment_program_id ? null : program_id,
    audit_id,
  }
}
