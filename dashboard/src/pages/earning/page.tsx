import { SimpleGrid, Skeleton, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { EditForm } from '../../parts/edit-form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { type Edit, useDraft } from '../../parts/use-draft.ts'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Example } from './example.tsx'

const ReturnHosts = later(() => import('./return-hosts.tsx'), 'ReturnHosts')

const path = '/merchants/{merchantId}/settings'
type Settings = DataOf<typeof path, 'get'>
type Values = Omit<Settings, 'version' | 'example_points'>

/** How the merchant awards points. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { data } = useQuery(ask(path, { params: { path: { merchantId } } }))
  return (
    <>
      <PageHeader title={t('settings.earning')} lead={t('settings.earning_lead')} />
      {data === undefined ? <PageSkeleton /> : <EarningForm saved={data} />}
    </>
  )
}

function valuesOf({ version: _, example_points: __, ...values }: Settings): Values {
  return values
}

function EarningForm({ saved }: { saved: Settings }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const draft = useDraft(saved, valuesOf)
  const { values, set } = draft
  const save = useSubmit({
    send: ({ version, values }: Edit<Values>) =>
      send('patch', path, { params: { path: { merchantId } }, body: { version, ...values } }),
    done(now, sent) {
      draft.settle(now, sent.values)
      notifyDone(t('common.saved'))
    },
    stale: [path],
  })
  return (
    <EditForm
      of={save}
      draft={draft}
      may_change={may('change_settings')}
      fields={[
        ...(['points_per_sar', 'product_rating_points', 'store_rating_points', 'refund_window_days'] as const).map(
          (name) => ({ name, label: t(`settings.field_${name}`) }),
        ),
        { name: 'flows', label: t('settings.flows_title'), show: (flows) => <FlowList flows={flows} /> },
        { name: 'return_hosts', label: t('settings.return_hosts'), show: (hosts) => <bdi>{String(hosts)}</bdi> },
      ]}
    >
      <Rates values={values} set={set} of={save} />
      <Flows values={values} set={set} />
      <Rules values={values} set={set} of={save} />
    </EditForm>
  )
}

interface Part {
  readonly values: Values
  readonly set: (changes: Partial<Values>) => void
}

function Rates({ values, set, of }: Part & { of: Submit<Edit<Values>> }) {
  const { t } = useTexts()
  return (
    <>
      <Card title={t('settings.rate_title')} lead={t('settings.rate_lead')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <NumberField
            label={t('settings.field_points_per_sar')}
            places={4}
            most={100_000}
            value={values.points_per_sar}
            error={of.fieldError('points_per_sar')}
            onChange={(points_per_sar) => set({ points_per_sar })}
          />
          <Example rate={values.points_per_sar} />
        </SimpleGrid>
      </Card>
      <Card title={t('settings.ratings_title')} lead={t('settings.ratings_lead')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {(['product_rating_points', 'store_rating_points'] as const).map((name) => (
            <NumberField
              key={name}
              label={t(`settings.field_${name}`)}
              most={1_000_000_000}
              value={values[name]}
              error={of.fieldError(name)}
              onChange={(points) => set({ [name]: points })}
            />
          ))}
        </SimpleGrid>
      </Card>
    </>
  )
}

function Rules({ values, set, of }: Part & { of: Submit<Edit<Values>> }) {
  const { t } = useTexts()
  return (
    <Card title={t('settings.rules_title')}>
      <Stack gap="lg">
        <NumberField
          label={t('settings.field_refund_window_days')}
          description={t('settings.refund_window_hint')}
          most={3_650}
          maw={320}
          value={values.refund_window_days}
          error={of.fieldError('refund_window_days')}
          onChange={(refund_window_days) => set({ refund_window_days })}
        />
        <Suspense fallback={<Skeleton height={92} />}>
          <ReturnHosts
            value={values.return_hosts}
            error={hostError(values.return_hosts, of.fieldError)}
            onChange={(return_hosts) => set({ return_hosts })}
          />
        </Suspense>
      </Stack>
    </Card>
  )
}

/** The service names a wrong host by its place in the list. */
function hostError(hosts: readonly string[], fieldError: (name: string) => string | undefined): string | undefined {
  const at = hosts.findIndex((_, index) => fieldError(`return_hosts.${index}`) !== undefined)
  return at < 0 ? fieldError('return_hosts') : `${hosts[at]}: ${fieldError(`return_hosts.${at}`)}`
}

const flowNames = ['earning', 'checkout', 'product_rating', 'store_rating'] as const

function Flows({ values: { flows }, set }: Part) {
  const { t } = useTexts()
  return (
    <Card title={t('settings.flows_title')} lead={t('settings.flows_lead')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {flowNames.map((name) => (
          <Switch
            key={name}
            label={t(`settings.flow_${name}`)}
            description={t(`settings.flow_${name}_hint`)}
            checked={flows[name]}
            onChange={(event) => set({ flows: { ...flows, [name]: event.currentTarget.checked } })}
          />
        ))}
      </SimpleGrid>
    </Card>
  )
}

function FlowList({ flows }: { flows: unknown }) {
  const { t } = useTexts()
  const on = flows as Values['flows'] | undefined
  return flowNames
    .filter((name) => on?.[name] === true)
    .map((name) => t(`settings.flow_${name}`))
    .join(' · ')
}
