import { Stack, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { FormError } from '../../parts/form.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useReviewed, useStandingChange } from './merchant.ts'

const switches = ['verified', 'published', 'key_status'] as const
type SwitchName = (typeof switches)[number]
const flows = ['earning', 'checkout', 'product_rating', 'store_rating'] as const

/** Whether the merchant may work. Switching off asks first: it stops a shop. */
export function Standing() {
  const { t } = useTexts()
  const { standing, suspended_at } = useReviewed()
  const [asked, setAsked] = useState<SwitchName>()
  const change = useStandingChange(() => setAsked(undefined))
  return (
    <Card title={t('review.standing')} lead={t('review.standing_lead')}>
      <Stack gap="md">
        {asked === undefined ? <FormError of={change} /> : null}
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(`review.${name}`)}
            description={<Hint name={name} />}
            checked={standing[name]}
            disabled={change.pending || (name === 'published' && suspended_at !== null)}
            onChange={() => (standing[name] ? setAsked(name) : change.submit({ [name]: true }))}
          />
        ))}
      </Stack>
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t(`review.off_${asked ?? 'verified'}`)}
        label={t('review.switch_off')}
        of={change}
        onConfirm={() => asked !== undefined && change.submit({ [asked]: false })}
        danger
      >
        {t(`review.off_${asked ?? 'verified'}_lead`)}
      </ConfirmDialog>
    </Card>
  )
}

function Hint({ name }: { name: SwitchName }): ReactNode {
  const { t } = useTexts()
  const { standing, verified_at, verified_by, suspended_at } = useReviewed()
  if (name === 'published' && suspended_at !== null) return t('review.published_suspended')
  if (name !== 'verified' || !standing.verified || verified_at === null) return t(`review.${name}_hint`)
  const values = { when: <Time at={verified_at} style="date" />, by: <bdi>{verified_by ?? '—'}</bdi> }
  return t.rich('review.verified_by', values)
}

/** What the merchant offers its customers. */
export function Flows() {
  const { t } = useTexts()
  const { standing } = useReviewed()
  const change = useStandingChange()
  return (
    <Card title={t('settings.flows_title')} lead={t('settings.flows_lead')}>
      <Stack gap="md">
        <FormError of={change} />
        {flows.map((name) => (
          <Switch
            key={name}
            label={t(`settings.flow_${name}`)}
            checked={standing.flows[name]}
            disabled={change.pending}
            onChange={() => change.submit({ flows: { [name]: !standing.flows[name] } })}
          />
        ))}
      </Stack>
    </Card>
  )
}
