import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { FormError } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Payment } from './provider-form.tsx'

const path = '/merchants/{merchantId}/payment/test'
type Result = DataOf<typeof path, 'post'>

/** Asks the saved provider whether it accepts the saved credentials. */
export function TestCard({ provider }: { provider: Payment['provider'] }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const [result, setResult] = useState<Result>()
  const test = useSubmit({
    send: (_: undefined, headers) =>
      send('post', path, { params: { path: { merchantId } }, headers, body: { provider } }),
    done: setResult,
  })
  if (!may('change_keys')) return null
  return (
    <Card
      title={t('settings.test_title')}
      lead={t('settings.test_lead')}
      actions={
        <Button variant="default" loading={test.pending} onClick={() => test.submit(undefined)}>
          {t('settings.test')}
        </Button>
      }
    >
      <FormError of={test} />
      <div role="status">
        {result === undefined || result.provider !== provider ? null : (
          <Alert
            variant="light"
            color={result.works ? 'brand' : 'red'}
            icon={<Icon name={result.works ? 'check' : 'alert'} />}
            title={t(`settings.test_${result.outcome}`)}
          >
            {t(`settings.test_${result.outcome}_hint`)}
            {result.detail === null ? null : (
              <div>
                <code dir="ltr">{result.detail}</code>
              </div>
            )}
          </Alert>
        )}
      </div>
    </Card>
  )
}
