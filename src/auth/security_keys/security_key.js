// Talks to a security key for the form with `data-security-key`. Without this script, or without a
// key, the other ways on the page remain.
const form = document.querySelector('form[data-security-key]')
const problem = document.querySelector('[data-security-key-problem]')

/** Asks the key, and sends what it answers. @returns where to go */
async function useKey(kind, body) {
  const answer = await fetch(form.dataset.options, { headers: { accept: 'application/json' } })
  const options = await answer.json()
  if (!answer.ok) throw new Error(options.error)
  const credential =
    kind === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  const sent = await fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body(credential.toJSON())),
  })
  const result = await sent.json()
  if (!sent.ok) throw new Error(result.error)
  return result.redirect_path
}

async function submitted(event) {
  event.preventDefault()
  problem.hidden = true
  const token = form.elements.authenticity_token.value
  const nickname = form.elements['security_key[nickname]']?.value
  try {
    location.href = await useKey(form.dataset.securityKey, credential =>
      nickname === undefined
        ? { authenticity_token: token, user: { credential } }
        : { authenticity_token: token, security_key: { nickname, credential } },
    )
  } catch (error) {
    problem.textContent = error.name === 'Error' ? error.message : problem.dataset.text
    problem.hidden = false
  }
}

if (form && window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  form.hidden = false
  form.addEventListener('submit', event => void submitted(event))
} else if (problem) {
  problem.textContent = problem.dataset.unsupported
  problem.hidden = false
}
