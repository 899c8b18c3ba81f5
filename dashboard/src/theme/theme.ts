import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/** Mantine drawn with the tokens of the hosted pages (src/pages/design/tokens.css). */

/** Around `--brand`: the seventh is the light one, the fourth the dark one. */
const brand: MantineColorsTuple = [
  '#ecf7f2',
  '#d8ede4',
  '#b1dccb',
  '#7cd6b5',
  '#5cc4a0',
  '#2fa37d',
  '#12805f',
  '#0b6b4f',
  '#09573f',
  '#063f2e',
]

/** Fills and tints of the tokens, which Mantine would mix by itself. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const usual = defaultVariantColorsResolver(input)
  if (input.color !== undefined && input.color !== 'brand') return usual
  const clear = { border: '1px solid transparent' }
  if (input.variant === 'filled')
    return { ...clear, background: 'var(--brand)', hover: 'var(--brand-hover)', color: 'var(--brand-ink)' }
  if (input.variant === 'light')
    return { ...clear, background: 'var(--good-back)', hover: 'var(--good-back-hover)', color: 'var(--accent)' }
  if (input.variant === 'subtle' || input.variant === 'transparent')
    return { ...usual, hover: input.variant === 'subtle' ? 'var(--tint)' : 'transparent', color: 'var(--accent)' }
  return usual
}

const field = { size: 'md' } as const

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  colors: { brand },
  black: '#17201b',
  fontFamily: '"Plex", system-ui, "Segoe UI", "Noto Sans Arabic", Tahoma, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", monospace',
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--text-xl)', lineHeight: '1.35' },
      h2: { fontSize: 'var(--text-l)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--text-m)', lineHeight: '1.5' },
    },
  },
  radius: {
    xs: '0.25rem',
    sm: 'var(--radius-s)',
    md: 'var(--radius-m)',
    lg: 'var(--radius-l)',
    xl: '2rem',
  },
  defaultRadius: 'sm',
  shadows: { xs: 'var(--shadow)', sm: 'var(--shadow)', md: 'var(--shadow-over)', lg: 'var(--shadow-over)' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: field },
    PasswordInput: { defaultProps: field },
    Select: { defaultProps: { ...field, comboboxProps: { shadow: 'md' } } },
    NativeSelect: { defaultProps: field },
    Textarea: { defaultProps: field },
    Switch: { defaultProps: field },
    Checkbox: { defaultProps: field },
    Modal: { defaultProps: { radius: 'md', centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    Paper: { defaultProps: { radius: 'md' } },
    Tooltip: { defaultProps: { openDelay: 250 } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

const surfaces = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--soft)',
  '--mantine-color-placeholder': 'var(--soft)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--paper)',
  '--mantine-color-default-hover': 'var(--tint)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--tint)',
  '--mantine-color-disabled-color': 'var(--soft)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-brand-text': 'var(--accent)',
  '--mantine-color-brand-filled': 'var(--brand)',
  '--mantine-color-brand-filled-hover': 'var(--brand-hover)',
  '--mantine-color-brand-light': 'var(--good-back)',
  '--mantine-color-brand-light-hover': 'var(--good-back-hover)',
  '--mantine-color-brand-light-color': 'var(--accent)',
  '--mantine-color-brand-outline': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--brand-ink)',
}

/** Grey fields would look switched off in the dark. */
const dark = { ...surfaces, '--mantine-color-dark-6': 'var(--back)', '--mantine-color-dark-4': 'var(--line)' }

/** The tokens change with the scheme, so both schemes read the same names. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark })
