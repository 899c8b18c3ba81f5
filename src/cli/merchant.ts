import { type Command, InvalidArgumentError, Option } from 'commander'
import { type PaymentMethod, paymentMethods, readPaymentMethods } from '../domain/payment-method.ts'
import { type Points, type PointsPerSarE4, toPointsPerSar } from '../domain/points.ts'
import { flowsOf } from '../features/merchants/merchant.ts'
import { ensureFirstProgram, ensureProgram } from '../features/merchants/programs.ts'
import type { MerchantChanges, MerchantRow } from '../features/merchants/queries.ts'
import { createMerchants, findMerchant, pageMerchants, setMerchant } from '../features/merchants/service.ts'
import { type PaymentProviderName, paymentProviders } from '../providers/payment/port.ts'
import { addBrandCommand } from './brand.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  numberCursor,
  type PageOptions,
  printPage,
  withOutput,
} from './command.ts'
import { commandConfig, withDeployment } from './deployment.ts'
import { addRotateSecretCommand, prepareCheckoutSecret, secretUnchanged } from './merchant-keys.ts'
import { addPaymentCommand, explainPayment } from './merchant-payment.ts'
import { addSuspendCommands } from './merchant-suspend.ts'
import { arabicName, isOn, onOff, points, pointsPerSar, returnHosts, whole } from './values.ts'

type Switch = 'on' | 'off'

interface CreateOptions extends CommonOptions {
  readonly name: string
  readonly count: number
  readonly program?: string
  readonly verified?: boolean
  readonly published?: boolean
}

interface SetOptions extends CommonOptions {
  readonly verified?: Switch
  readonly published?: Switch
  readonly keyStatus?: Switch
  readonly earning?: Switch
  readonly productRating?: Switch
  readonly storeRating?: Switch
  readonly checkout?: Switch
  readonly pointsPerSar?: PointsPerSarE4
  readonly productRatingPoints?: Points
  readonly storeRatingPoints?: Points
  readonly refundWindowDays?: number
  readonly payment?: PaymentProviderName
  readonly paymentFlow?: 'sale' | 'two-step'
  /** False with --no-payment-method. */
  readonly paymentMethod?: readonly PaymentMethod[] | false
  /** False with --no-return-host. */
  readonly returnHost?: readonly string[] | false
  readonly signedCheckouts?: Switch
  readonly nameAr?: string
}

export function addMerchantCommands(program: Command): void {
  const group = addGroup(program, 'merchant', 'merchants: create, list, show and change them')
  addCreate(group)
  const list = addPaging(addCommand(group, 'list', 'list merchants, the newest first'))
  list.action((options: CommonOptions & PageOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        printPage(output, options, await pageMerchants(db, numberCursor(options), options.limit + 1), {
          what: 'merchants',
          row: (merchant) => output.result(viewMerchant(merchant), line(merchant)),
          cursor: ({ merchant_id }) => merchant_id,
        })
      }),
    ),
  )
  const show = addCommand(group, 'show <merchant>', 'show one merchant, by id or exact name')
  addExamples(show, ["nuqta merchant show 'Demo Store'", 'nuqta merchant show 1 --json'])
  show.action((merchantName: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const view = viewMerchant(await findMerchant(db, merchantName))
        output.result(view, describeMerchant(view))
      }),
    ),
  )
  addSet(group)
  addSuspendCommands(group)
  addBrandCommand(group)
  addPaymentCommand(group)
  addRotateSecretCommand(group)
}

function addCreate(group: Command): void {
  const create = addChange(group, 'create', 'create merchants; prints their private keys this once')
    .requiredOption('--name <name>', 'name; with --count a number follows it')
    .option('--count <n>', 'how many', whole(1, 100_000), 1)
    .option('--program <name>', 'program that they join, created if new (default: the first)')
    .option('--verified', 'verified from the start')
    .option('--published', 'published from the start')
  addExamples(create, [
    "nuqta merchant create --name 'Corner Café' --verified --published",
    'nuqta merchant create --name Shop --count 1000 --program Mall --verified --published --json',
  ])
  create.action((options: CreateOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db, environment, now, by }) => {
          const { name, count, verified = false, published = false } = options
          const place = { environment, now, by }
          const { program_id } = await db.transaction(async (tx) => {
            if (options.program === undefined) return ensureFirstProgram(tx, place)
            return (await ensureProgram(tx, { name: options.program.trim(), ...place })).program
          })
          const wanted = { program_id, name, count, verified, published, ...place }
          for (const merchant of await createMerchants(db, wanted)) {
            const { merchant_id, public_key, private_key } = merchant
            const view = { merchant_id, program_id, name: merchant.name, public_key, private_key }
            output.result(view, [...describe(view), ''])
          }
        },
        { creates: true },
      ),
    ),
  )
}

function addSet(group: Command): void {
  const set = addChange(group, 'set <merchant>', 'change a merchant; the change applies to its next request')
    .option('--name-ar <name>', 'its name on Arabic pages; none for the same in both languages', arabicName)
    .addOption(onOff('--verified', 'whether it is verified'))
    .addOption(onOff('--published', 'whether it is published'))
    .addOption(onOff('--key-status', 'whether its keys are valid'))
    .addOption(onOff('--earning', 'earning orders'))
    .addOption(onOff('--product-rating', 'points for product ratings'))
    .addOption(onOff('--store-rating', 'points for store ratings'))
    .addOption(onOff('--checkout', 'checkout'))
    .option('--points-per-sar <n>', 'points earned per SAR', pointsPerSar)
    .option('--product-rating-points <n>', 'points of a product rating', points)
    .option('--store-rating-points <n>', 'points of a store rating', points)
    .option('--refund-window-days <n>', 'days from approval or capture in which refunds are taken', whole(0, 3_650))
    .addOption(
      new Option('--payment <provider>', 'who takes the rest of a checkout in money').choices(paymentProviders),
    )
    .addOption(
      new Option('--payment-flow <flow>', 'takes the money at once, or reserves it first').choices([
        'sale',
        'two-step',
      ]),
    )
    .addOption(
      new Option(
        '--payment-method <method...>',
        'what its payment page takes, for checkouts to name; they replace the earlier ones',
      ).choices(paymentMethods),
    )
    .option('--no-payment-method', 'name none')
    .option(
      '--return-host <host...>',
      'the hosts that checkouts may return to; they replace the earlier ones',
      returnHosts,
    )
    .option('--no-return-host', 'return to any host')
    .addOption(
      onOff('--signed-checkouts', 'whether its server has to sign checkouts; the first time prints the secret'),
    )
  addExamples(set, [
    "nuqta merchant set 'Corner Café' --verified on --published on",
    'nuqta merchant set 7 --key-status off',
    "nuqta merchant set 7 --name-ar 'مقهى الزاوية'",
    'nuqta merchant set 7 --points-per-sar 2.5 --refund-window-days 14',
    'nuqta merchant set 7 --payment paytabs --payment-flow two-step --payment-method mada visa apple_pay',
    'nuqta merchant set 7 --signed-checkouts on --return-host shop.example --return-host www.shop.example',
  ])
  set.action((merchantName: string, options: SetOptions) =>
    withOutput(options, (output) => {
      const changes = changesOf(options)
      const key_status = isOn(options.keyStatus)
      if (Object.keys(changes).length === 0 && key_status === undefined)
        throw new InvalidArgumentError('Nothing to set: see nuqta merchant set --help.')
      return withDeployment(options, output, async ({ db, dir, environment, now, by }) => {
        const merchant = await findMerchant(db, merchantName)
        const config = commandConfig(options)
        const secret =
          options.signedCheckouts === 'on' ? await prepareCheckoutSecret(config, { db, dir }, merchant) : undefined
        const { payment } = config
        const before = secret === undefined ? {} : { before: secret.make }
        const change = { environment, now, changes, key_status, payment, by, ...before }
        const changed = await setMerchant(db, merchant, change).catch(explainPayment(merchant))
        const shown = secret?.shown()
        if (secret !== undefined && shown === undefined) output.note(secretUnchanged)
        const view = { ...viewMerchant(changed), ...shown }
        output.result(view, describeMerchant(view))
      })
    }),
  )
}

function changesOf(options: SetOptions): MerchantChanges {
  const all = {
    name_ar: options.nameAr === '' ? null : options.nameAr,
    verified: isOn(options.verified),
    published: isOn(options.published),
    earning_on: isOn(options.earning),
    product_rating_on: isOn(options.productRating),
    store_rating_on: isOn(options.storeRating),
    checkout_on: isOn(options.checkout),
    points_per_sar_e4: options.pointsPerSar,
    product_rating_points: options.productRatingPoints,
    store_rating_points: options.storeRatingPoints,
    refund_window_days: options.refundWindowDays,
    payment_provider: options.payment,
    payment_flow: options.paymentFlow === 'two-step' ? 'two_step' : options.paymentFlow,
    payment_methods: options.paymentMethod === undefined ? undefined : readPaymentMethods(options.paymentMethod || []),
    signed_checkouts: isOn(options.signedCheckouts),
    return_hosts: options.returnHost === false ? [] : options.returnHost,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function viewMerchant(merchant: MerchantRow) {
  return {
    merchant_id: merchant.merchant_id,
    program_id: merchant.program_id,
    name: merchant.name,
    name_ar: merchant.name_ar,
    verified: merchant.verified,
    published: merchant.published,
    suspended_reason: merchant.suspended_reason,
    key_status: merchant.key_status,
    integration_active: merchant.integration_active,
    flows: flowsOf(merchant),
    points_per_sar: toPointsPerSar(merchant.points_per_sar_e4),
    product_rating_points: merchant.product_rating_points,
    store_rating_points: merchant.store_rating_points,
    refund_window_days: merchant.refund_window_days,
    payment_provider: merchant.payment_provider,
    payment_flow: merchant.payment_flow,
    payment_methods: merchant.payment_methods,
    return_hosts: merchant.return_hosts,
    signed_checkouts: merchant.signed_checkouts,
    public_key: merchant.public_key,
  }
}

function describeMerchant(view: ReturnType<typeof viewMerchant>): string[] {
  const hosts = view.return_hosts.length === 0 ? 'any' : view.return_hosts.join(', ')
  const methods = view.payment_methods.length === 0 ? 'none named' : view.payment_methods.join(', ')
  return describe({ ...view, payment_methods: methods, return_hosts: hosts })
}

function line(merchant: MerchantRow): string {
  const standing = [
    merchant.verified ? 'verified' : 'not verified',
    merchant.published ? 'published' : 'not published',
    ...(merchant.suspended_at === null ? [] : ['suspended']),
    ...(merchant.key_status ? [] : ['keys off']),
  ]
  return `${String(merchant.merchant_id).padStart(6)}  ${merchant.name}  (${standing.join(', ')})`
}
