import type { Command } from 'commander'
import { Sources } from '../config/sources.ts'
import { DomainError } from '../domain/failures.ts'
import { readSandboxUrl } from '../features/deployment/sandbox.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { createOperator, disablePerson, type OperatorParts, recoverOperator } from '../features/staff/operators.ts'
import { CliError } from '../lib/errors.ts'
import {
  addChange,
  addExamples,
  addGroup,
  addIrreversible,
  type CommonOptions,
  describe,
  withOutput,
} from './command.ts'
import { commandConfig, confirmed, type Deployment, withDeployment } from './deployment.ts'

interface OperatorOptions extends CommonOptions {
  readonly email: string
  readonly merchant?: string
}

export function addOperatorCommands(program: Command): void {
  const group = addGroup(
    program,
    'operator',
    'people of the dashboard: the first of them, who is locked out, and who is kept out',
  )
  addCreate(group)
  addRecover(group)
  addDisable(group, 'disable', 'keep a person out of the dashboard, whatever their roles; ends their sessions')
  addDisable(group, 'enable', 'let a person in again who was kept out')
}

function addCreate(group: Command): void {
  const does = 'make an operator of the deployment, or an owner of a merchant; prints a link that works once'
  const create = addChange(group, 'create', does)
    .requiredOption('--email <address>', 'their e-mail address')
    .option('--merchant <merchant>', 'owner of this merchant (default: operator of the whole deployment)')
  create.addHelpText(
    'after',
    '\nThe link begins with NUQTA_PUBLIC_URL. Whoever has a password already chooses a new one by it.',
  )
  addExamples(create, [
    'nuqta operator create --email sara@points.example',
    "nuqta operator create --email omar@cafe.example --merchant 'Corner Café' --json",
  ])
  create.action(({ email, merchant: named, ...options }: OperatorOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const public_url = await publicUrlOf(options, deployment)
        const merchant = named === undefined ? undefined : await findMerchant(deployment.db, named)
        const parts = partsOf(deployment, public_url)
        const view = await createOperator(parts, { email, merchant }).catch(explainKeptOut(email))
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function explainKeptOut(email: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof DomainError && error.failure.kind === 'validation')
      throw new CliError(`${email} is kept out of the dashboard: let them in first, with nuqta operator enable.`)
    throw error
  }
}

function addRecover(group: Command): void {
  const does = 'let somebody in who has lost the second factor; prints a link that works once'
  const recover = addIrreversible(group, 'recover', does).requiredOption('--email <address>', 'their e-mail address')
  recover.addHelpText('after', '\nIt removes their app, passkeys and recovery codes, and ends their sessions.')
  addExamples(recover, ['nuqta operator recover --email sara@points.example'])
  recover.action(({ email, ...options }: OperatorOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async (opened) => {
        const public_url = await publicUrlOf(options, opened)
        const question = `Remove the second factors of ${email}? Make sure that it is them who ask.`
        const deployment = await confirmed(options, opened, question)
        const view = await recoverOperator(partsOf(deployment, public_url), email)
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

function addDisable(group: Command, name: 'disable' | 'enable', does: string): void {
  const disable = addChange(group, name, does).requiredOption('--email <address>', 'their e-mail address')
  addExamples(disable, [`nuqta operator ${name} --email omar@cafe.example`])
  disable.action(({ email, ...options }: OperatorOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, by }) => {
        const view = await disablePerson({ db, by, now: new Date() }, email, name === 'disable')
        output.result(view, describe({ ...view }))
      }),
    ),
  )
}

/** Links end by the machine's clock. */
function partsOf({ db, by }: Deployment, public_url: string): OperatorParts {
  return { db, by, public_url, now: new Date() }
}

/**
 * Gives what links begin with. A sandbox without NUQTA_PUBLIC_URL may have been given any port by `serve`, which has written its
 * address beside the keys.
 * @throws CliError in production without NUQTA_PUBLIC_URL: a link to this machine would open nowhere else
 */
async function publicUrlOf(options: CommonOptions, { dir, environment }: Deployment): Promise<string> {
  const { public_url } = commandConfig(options)
  if (new Sources(options.shell.env, {}, options.shell.cwd).isGiven('NUQTA_PUBLIC_URL')) return public_url
  if (environment === 'production')
    throw new CliError('Set NUQTA_PUBLIC_URL to what the service has: the link begins with it.')
  return (dir && (await readSandboxUrl(dir.sandboxEnv))) ?? public_url
}
