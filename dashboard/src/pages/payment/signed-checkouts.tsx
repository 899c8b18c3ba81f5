import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import type { Shown } from '../../parts/secret-list.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { paymentPath } from './provider-form.tsx'

/** Whether the shop's server has to sign checkouts. Its secret is shown once. */
export function SignedCheckouts({ on }: { on: boolean }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const [asked, setAsked] = useState<'switch' | 'rotate'>()
  const [shown, setShown] = useState<readonly Shown[]>()
  const params = { path: { merchantId } }
  const show = (value: string | null) => {
    setAsked(undefined)
    if (value === null) notifyDone(t('common.saved'))
    else setShown([{ label: t('settings.checkout_secret'), value }])
  }
  const change = useSubmit({
    ...(on ? {} : { turns: secretTurns }),
    send: (signed_checkouts: boolean, headers) =>
      send('post', '/merchants/{merchantId}/signed-checkouts', { params, headers, body: { signed_checkouts } }),
    done: ({ checkout_secret }) => show(checkout_secret),
    stale: [paymentPath],
  })
  const rotate = useSubmit({
    turns: secretTurns,
    send: (_: undefined, headers) =>
      send('post', '/merchants/{merchantId}/checkout-secret/rotate', { params, headers }),
    done: ({ checkout_secret }) => show(checkout_secret),
  })
  const may_change = may('change_keys')
  return (
    <Card
      title={t('settings.signed_title')}
      lead={t('settings.signed_lead')}
      actions={
        may_change ? (
          <Button variant="default" onClick={() => setAsked('rotate')}>
            {t('settings.rotate_secret')}
          </Button>
        ) : undefined
      }
    >
      <Switch
        label={t('settings.signed')}
        description={t('settings.signed_hint')}
        checked={on}
        disabled={!may_change || change.pending}
        onChange={() => setAsked('switch')}
      />
      <ConfirmDialog
        opened={asked === 'switch'}
        onClose={() => setAsked(undefined)}
        title={t(on ? 'settings.signed_off_title' : 'settings.signed_on_title')}
        label={t(on ? 'settings.signed_off' : 'settings.signed_on')}
        of={change}
        onConfirm={() => change.submit(!on)}
        danger
      >
        {t(on ? 'settings.signed_off_warning' : 'settings.signed_on_warning')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'rotate'}
        onClose={() => setAsked(undefined)}
        title={t('settings.rotate_title')}
        label={t('settings.rotate_secret')}
        of={rotate}
        onConfirm={() => rotate.submit(undefined)}
        danger
      >
        {t('settings.rotate_warning')}
      </ConfirmDialog>
      <SecretDialog title={t('settings.new_secret')} secrets={shown} onClose={() => setShown(undefined)} />
    </Card>
  )
}
