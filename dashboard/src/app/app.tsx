import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { directionOf } from '../../../src/domain/locale.ts'
import { queryClient } from '../api/query.ts'
import { TextsProvider } from '../texts/texts.tsx'
import { cssVariablesResolver, theme } from '../theme/theme.ts'
import { Corner } from './corner.tsx'
import { useChosenLocale } from './locale.ts'
import { style_nonce } from './page-facts.ts'
import { router } from './router.tsx'

export function App() {
  const { locale, catalogue } = useChosenLocale()
  return (
    <TextsProvider locale={locale} catalogue={catalogue}>
      <DirectionProvider initialDirection={directionOf(locale)} detectDirection={false}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={() => style_nonce}
        >
          <FollowDirection dir={directionOf(locale)} />
          <Corner />
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </TextsProvider>
  )
}

/** Tells Mantine of a change of direction; it keeps its own state. */
function FollowDirection({ dir }: { dir: 'ltr' | 'rtl' }) {
  const { setDirection } = useDirection()
  useEffect(() => setDirection(dir), [dir, setDirection])
  return null
}
