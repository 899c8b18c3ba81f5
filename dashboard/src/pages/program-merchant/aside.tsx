import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { WhenLoaded } from '../../parts/when-loaded.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { team_path } from '../team/team.ts'
import { useReviewed } from './merchant.ts'

const InviteDialog = later(() => import('../team/invite-dialog.tsx'), 'InviteDialog')

/** The settings that matter most, which the merchant's own pages change. */
export function Glance() {
  const { t } = useTexts()
  const { settings, created_at } = useReviewed()
  const { payment_provider, payment_flow, return_hosts } = settings
  const provider = (['sandbox', 'paytabs', 'moyasar', 'merchant'] as const).find((one) => one === payment_provider)
  const yes = (value: boolean) => t(value ? 'common.yes' : 'common.no')
  return (
    <Card title={t('review.glance')}>
      <Facts
        rows={[
          { label: t('review.since'), value: <Time at={created_at} style="date" /> },
          {
            label: t('settings.public_key'),
            value: (
              <Copyable
                value={settings.public_key}
                what={t('settings.public_key')}
                shown={`${settings.public_key.slice(0, 12)}…`}
              />
            ),
          },
          {
            label: t('settings.field_points_per_sar'),
            // With all its decimals: amounts have two.
            value: <bdi dir="ltr">{settings.points_per_sar}</bdi>,
          },
          {
            label: t('settings.field_product_rating_points'),
            value: <Figure value={settings.product_rating_points} />,
          },
          { label: t('settings.field_store_rating_points'), value: <Figure value={settings.store_rating_points} /> },
          { label: t('settings.field_refund_window_days'), value: <Figure value={settings.refund_window_days} /> },
          {
            label: t('settings.provider_title'),
            value: provider === undefined ? payment_provider : t(`settings.provider_${provider}`),
          },
          { label: t('settings.flow'), value: t(`settings.flow_${payment_flow}`) },
          { label: t('review.signed'), value: yes(settings.signed_checkouts) },
          {
            label: t('settings.return_hosts'),
            value: return_hosts.length === 0 ? t('common.any') : <bdi dir="ltr">{return_hosts.join(', ')}</bdi>,
          },
        ]}
      />
    </Card>
  )
}

/** Who works for the merchant. */
export function People() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [invites, setInvites] = useState(false)
  const { data } = useQuery(ask(team_path, { params: { path: { merchantId } } }))
  const owners = data?.members.filter(({ role }) => role === 'owner') ?? []
  return (
    <Card
      title={t('review.people')}
      actions={
        <Button
          size="sm"
          variant="default"
          leftSection={<Icon name="mail" size={18} />}
          onClick={() => setInvites(true)}
        >
          {t('review.invite')}
        </Button>
      }
    >
      <Facts
        rows={[
          {
            label: t('review.owners'),
            value: owners.length === 0 ? '—' : owners.map(({ email }) => <bdi key={email}>{email} </bdi>),
          },
          { label: t('review.members'), value: data === undefined ? '…' : <Figure value={data.members.length} /> },
          {
            label: t('team.invitations'),
            value: data === undefined ? '…' : <Figure value={data.invitations.length} />,
          },
        ]}
      />
      <Button component={Link} to={merchantPath(String(merchantId), 'team')} variant="subtle" size="compact-sm" mt="sm">
        {t('review.to_team')}
      </Button>
      {invites ? (
        <WhenLoaded onClose={() => setInvites(false)}>
          <InviteDialog opened onClose={() => setInvites(false)} initialRole="owner" />
        </WhenLoaded>
      ) : null}
    </Card>
  )
}
