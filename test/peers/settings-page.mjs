import { JsonForms } from '@jsonforms/react'
import { vanillaCells, vanillaRenderers } from '@jsonforms/vanilla-renderers'
import Form from '@rjsf/core'
import validator from '@rjsf/validator-ajv8'
import { createElement, useRef } from 'react'
import { createRoot } from 'react-dom/client'

/** Longer than JSON Forms waits, 10 ms, before it tells of a change. */
const TOLD_MS = 50

/**
 * A form of JSON Forms with a button that hands its data over, as every application has one. The form is
 * given its data once: handed back to it, data that it told of take away what was typed since.
 */
function JsonFormsPage({ view, submit }) {
  const told = useRef({ data: view.data, errors: [] })
  return createElement(
    'form',
    {
      onSubmit(event) {
        event.preventDefault()
        setTimeout(() => submit(told.current), TOLD_MS)
      },
    },
    createElement(JsonForms, {
      ...view,
      renderers: vanillaRenderers,
      cells: vanillaCells,
      onChange(change) {
        told.current = change
      },
    }),
    createElement('button', { type: 'submit' }, 'Submit'),
  )
}

function RjsfPage({ view, submit }) {
  return createElement(Form, {
    ...view,
    validator,
    noHtml5Validate: true,
    onSubmit: ({ formData, errors }) => submit({ data: formData, errors }),
    onError: (errors) => submit({ errors }),
  })
}

const PAGES = { jsonforms: JsonFormsPage, rjsf: RjsfPage }

/** Shows a form; what it gives back when it is submitted is `window.submitted`. */
window.show = (format, view) => {
  const submit = (given) => {
    window.submitted = given
  }
  createRoot(document.getElementById('form')).render(createElement(PAGES[format], { view, submit }))
}
