import { attributes, type Html, html, type Part } from './html.ts'
import { type IconName, icon } from './icons.ts'

/** Form controls. Each works without scripts and is at least 44 pixels high. */

type Data = Readonly<Record<string, string | number>>

export interface ButtonOptions {
  /** `primary` is the default; a page has one. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly id?: string
  /** `data-*` attributes, for scripts. */
  readonly data?: Data
}

interface SubmitOptions extends ButtonOptions {
  /** Sent with the form when this button is pressed. */
  readonly name?: string
  readonly value?: string
  readonly disabled?: boolean
}

/** A submit button. */
export function button(label: Part, options: SubmitOptions = {}): Html {
  const { name, value, disabled } = options
  return html`<button type="submit"${buttonAttributes(options)}${attributes({ name, value, disabled })}>${buttonContent(label, options)}</button>`
}

/** A link that looks like a button. */
export function linkButton(label: Part, href: string, options: ButtonOptions = {}): Html {
  return html`<a href="${href}"${buttonAttributes(options)}>${buttonContent(label, options)}</a>`
}

/** A button that prints the page. A script shows it: without scripts it could do nothing. */
export function printButton(label: Part): Html {
  return html`<button type="button" class="button button-quiet" data-print hidden>${icon('print')}<span>${label}</span></button>`
}

function buttonAttributes({ kind = 'primary', id, data }: ButtonOptions): Html {
  return html`${attributes({ class: `button button-${kind}`, id })}${dataAttributes(data)}`
}

function buttonContent(label: Part, options: ButtonOptions): Html {
  const words = html`<span>${label}</span>`
  if (options.icon === undefined) return words
  return options.icon === 'arrow' ? html`${words}${icon('arrow')}` : html`${icon(options.icon)}${words}`
}

function dataAttributes(data: Data = {}): Html {
  return attributes(Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])))
}

export interface FieldOptions {
  readonly name: string
  readonly label: Part
  readonly value?: string | undefined
  readonly hint?: Part
  /** What is wrong with the input, and what to do. */
  readonly error?: Part | undefined
  readonly type?: 'text' | 'tel' | 'email' | 'search' | 'date'
  readonly inputmode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'search'
  /** What the key in the place of Enter says on a phone. */
  readonly enterkeyhint?: 'done' | 'go' | 'next' | 'send'
  readonly autocomplete?: string
  /** `ltr` for numbers and codes, `auto` for names; by default, the page's direction. */
  readonly dir?: 'ltr' | 'auto'
  readonly maxlength?: number
  readonly required?: boolean
  /** Beside the input, such as a country code or a unit. */
  readonly before?: Part
  readonly after?: Part
  /** `code`: a few large digits. `large`: the main number of a page. */
  readonly look?: 'code' | 'large'
  readonly autofocus?: boolean
  readonly data?: Data
}

/** The id of the input with that name, for links of the error summary. */
export function fieldId(name: string): string {
  return `field-${name}`
}

/** A labelled input. */
export function field(options: FieldOptions): Html {
  const { name, label, hint, error, before, after, look } = options
  const id = fieldId(name)
  return html`<div${attributes({ class: `field${look === undefined ? '' : ` field-${look}`}${error === undefined ? '' : ' field-wrong'}` })}>
<label for="${id}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
<div class="input">${affix(before)}${input(options, id)}${affix(after)}</div>
${errorText(id, error)}
</div>`
}

function affix(part: Part | undefined): Html | null {
  return part === undefined ? null : html`<span class="affix">${part}</span>`
}

function input(options: FieldOptions, id: string): Html {
  const { name, value, hint, error, type = 'text', inputmode, autocomplete, dir } = options
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat().join(' ')
  const given = attributes({
    id,
    name,
    type,
    value,
    inputmode,
    enterkeyhint: options.enterkeyhint,
    autocomplete,
    dir,
    // Numbers and codes have no words to correct.
    autocapitalize: dir === 'ltr' ? 'none' : null,
    spellcheck: dir === 'ltr' ? 'false' : null,
    maxlength: options.maxlength,
    required: options.required,
    autofocus: options.autofocus,
    'aria-describedby': described === '' ? null : described,
    'aria-invalid': error === undefined ? null : 'true',
  })
  return html`<input${given}${dataAttributes(options.data)}>`
}

function errorText(id: string, error: Part | undefined): Html | null {
  return error === undefined ? null : html`<p class="wrong" id="${id}-error">${icon('error')}<span>${error}</span></p>`
}

export interface FormOptions {
  readonly action: string
  /** The token of the request that shows the page. */
  readonly csrf: string
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string | number>>
  readonly id?: string
  readonly data?: Data
}

/** A POST form with the CSRF token. The server validates it, so browser validation is off. */
export function form({ action, csrf, hidden = {}, id, data }: FormOptions, body: Part): Html {
  const more = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}" novalidate${attributes({ id })}${dataAttributes(data)}>
<input type="hidden" name="csrf" value="${csrf}">${more}
${body}
</form>`
}

export interface Choice {
  readonly value: string
  readonly title: Part
  readonly text?: Part
  /** At the end of the card, such as an amount. */
  readonly aside?: Part
  readonly icon?: IconName
  readonly disabled?: boolean
  /** Shown while the choice is selected, such as its input. */
  readonly more?: Part
}

export interface ChoiceCards {
  readonly name: string
  readonly legend: Part
  readonly choices: readonly Choice[]
  /** The value of the selected choice. */
  readonly chosen?: string | undefined
  readonly error?: Part | undefined
  readonly data?: Data
}

/** Radio buttons as cards. */
export function choiceCards({ name, legend, choices, chosen, error, data }: ChoiceCards): Html {
  const id = fieldId(name)
  const described = attributes({ 'aria-describedby': error === undefined ? null : `${id}-error` })
  const cards = choices.map((choice, index) => choiceCard(name, choice, choice.value === chosen, index))
  return html`<fieldset class="choices"${described}${dataAttributes(data)}>
<legend>${legend}</legend>
${cards}
${errorText(id, error)}
</fieldset>`
}

function choiceCard(name: string, choice: Choice, checked: boolean, index: number): Html {
  const { value, title, text, aside, disabled, more } = choice
  const id = index === 0 ? fieldId(name) : `${fieldId(name)}-${value}`
  return html`<div class="choice">
<input type="radio"${attributes({ id, name, value, checked, disabled })}>
<label for="${id}">${choice.icon === undefined ? null : icon(choice.icon)}<span class="choice-words"><span class="choice-title">${title}</span>${
    text === undefined ? null : html`<span class="choice-text">${text}</span>`
  }</span>${aside === undefined ? null : html`<span class="choice-aside">${aside}</span>`}</label>
${more === undefined ? null : html`<div class="choice-more">${more}</div>`}
</div>`
}

export interface CheckboxOptions {
  readonly name: string
  readonly label: Part
  /** Sent when checked; `yes` by default. */
  readonly value?: string
  readonly checked?: boolean
  readonly required?: boolean
  readonly hint?: Part | undefined
  readonly error?: Part | undefined
}

/** A checkbox with its label. */
export function checkbox({ name, label, value = 'yes', checked, required, hint, error }: CheckboxOptions): Html {
  const id = fieldId(name)
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat().join(' ')
  const given = attributes({
    id,
    name,
    value,
    checked,
    required,
    'aria-describedby': described === '' ? null : described,
    'aria-invalid': error === undefined ? null : 'true',
  })
  return html`<div class="check${error === undefined ? '' : ' field-wrong'}">
<input type="checkbox"${given}>
<label for="${id}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errorText(id, error)}
</div>`
}
