import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { useProgram } from '../../app/program.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { PointValue } from '../../parts/point-value.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/programs/{programId}/rates'

/** What a point is worth now and from later days on, and a form for the next rate. */
export function Rates({ rates, needsTwo }: { rates: DataOf<typeof path, 'get'>; needsTwo: boolean }) {
  const { t, format } = useTexts()
  const { programId } = useProgram()
  const [begins_on, setDay] = useState(rates.today)
  const [value, setValue] = useState(Number.NaN)
  const of = useSubmit({
    send: (body: { begins_on: string; sar_per_point: number }) =>
      send('post', path, { params: { path: { programId } }, body }),
    done({ proposals }, { sar_per_point }) {
      notifyDone(t(proposals.length > 0 ? 'program-settings.waits' : 'common.saved'))
      // The next rate may be in the field by now.
      setValue((now) => (now === sar_per_point ? Number.NaN : now))
    },
    stale: [path, '/programs/{programId}/proposals'],
  })
  return (
    <Card title={t('program-settings.rates')} lead={t('program-settings.rates_lead')}>
      <Stack gap="lg">
        <Facts
          rows={rates.rates.map((rate) => ({
            label: format.date(rate.begins_on),
            value: <RateValue {...rate} today={rates.today} />,
          }))}
        />
        <Form
          of={of}
          label={t(needsTwo ? 'program-settings.rate_propose' : 'program-settings.rate_set')}
          disabled={Number.isNaN(value) || begins_on === ''}
          onSubmit={() => of.submit({ begins_on, sar_per_point: value })}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <NumberField
              label={t('program-settings.rate_value')}
              description={t('program-settings.rate_value_hint')}
              places={6}
              least={0.0001}
              most={1_000}
              value={value}
              error={of.fieldError('sar_per_point')}
              onChange={setValue}
            />
            <TextInput
              type="date"
              label={t('program-settings.rate_day')}
              description={t('program-settings.rate_day_hint')}
              min={rates.today}
              max={rates.last_day}
              value={begins_on}
              error={of.fieldError('begins_on')}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          </SimpleGrid>
        </Form>
        <AskToLeave changed={!Number.isNaN(value)} />
      </Stack>
    </Card>
  )
}

function RateValue({ begins_on, sar_per_point, today }: { begins_on: string; sar_per_point: number; today: string }) {
  const { t } = useTexts()
  return (
    <>
      <PointValue sar={sar_per_point} />
      {begins_on > today ? (
        <Text c="dimmed" size="sm">
          {t('program-settings.rate_waits')} <Time at={`${begins_on}T00:00:00+03:00`} style="ago" />
        </Text>
      ) : null}
    </>
  )
}
