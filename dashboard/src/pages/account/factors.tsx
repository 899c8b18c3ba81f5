import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { refreshSession } from '../../api/session.ts'
import { later } from '../../app/later.ts'
import { Card } from '../../parts/card.tsx'
import { FormError } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './account.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'

const TotpSetup = later(() => import('./totp-setup.tsx'), 'TotpSetup')

/** The authenticator app and the recovery codes. */
export function Factors() {
  const { t } = useTexts()
  const { data: account } = useQuery(ask('/account'))
  const [codes, setCodes] = useState<readonly string[]>([])
  const [setup, setSetup] = useState<DataOf<'/account/totp/begin', 'post'> | null>(null)
  const begin = useSubmit({ send: () => send('post', '/account/totp/begin'), done: setSetup })
  const remove = useSubmit({
    send: () => send('post', '/account/totp/remove'),
    stale: ['/account', '/sessions'],
    async done() {
      await refreshSession()
      notifyDone(t('account.totp_removed'))
    },
  })
  const renew = useSubmit({
    send: () => send('post', '/account/recovery-codes'),
    stale: ['/account'],
    turns: secretTurns,
    done: ({ recovery_codes }) => setCodes(recovery_codes),
  })
  const is_on = account?.totp === true
  const app = is_on ? remove : begin
  const hasFactor = account !== undefined && (is_on || account.passkeys > 0)
  return (
    <Card title={t('account.factors')} lead={t('account.factors_lead')}>
      <Stack gap="md">
        <FormError of={app} />
        <FormError of={renew} />
        <Row name={t('account.totp')} state={<OnOff on={is_on} />}>
          <Button variant="default" size="sm" loading={app.pending} onClick={() => app.submit()}>
            {is_on ? t('account.totp_remove') : t('account.totp_begin')}
          </Button>
        </Row>
        {hasFactor ? (
          <Row name={t('account.codes')} state={t('account.codes_left', { count: account.recovery_codes })}>
            <Button variant="default" size="sm" loading={renew.pending} onClick={() => renew.submit()}>
              {t('account.codes_renew')}
            </Button>
          </Row>
        ) : null}
      </Stack>
      <Suspense>
        {setup === null ? null : <TotpSetup setup={setup} onClose={() => setSetup(null)} onCodes={setCodes} />}
      </Suspense>
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
    </Card>
  )
}

function OnOff({ on }: { on: boolean }) {
  const { t } = useTexts()
  return <Badge tone={on ? 'good' : 'quiet'}>{on ? t('account.totp_on') : t('account.totp_off')}</Badge>
}

/** Something with its state and what can be done about it. */
function Row({ name, state, children }: { name: string; state: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <Group gap="sm">
        <span className={classes.name}>{name}</span>
        <span className={classes.detail}>{state}</span>
      </Group>
      {children}
    </div>
  )
}
