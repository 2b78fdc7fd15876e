import { JsonForms } from '@jsonforms/react'
import { vanillaCells, vanillaRenderers } from '@jsonforms/vanilla-renderers'
import Form from '@rjsf/core'
import validator from '@rjsf/validator-ajv8'
import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A form of JSON Forms with a button that hands its data over, as every application has one. */
function JsonFormsPage({ view, submit }) {
  const [state, setState] = useState({ data: view.data, errors: [] })
  return createElement(
    'form',
    {
      onSubmit(event) {
        event.preventDefault()
        submit(state)
      },
    },
    createElement(JsonForms, {
      ...view,
      data: state.data,
      renderers: vanillaRenderers,
      cells: vanillaCells,
      onChange: setState,
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
