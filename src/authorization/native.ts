import { operation, param, redirect } from '../http/index.ts'
import { html, pageAnswer } from '../pages/index.ts'
import { openVisit } from '../sessions/index.ts'

/** Shows a code to somebody whose application cannot be sent to. */
export const showCode = operation({
  method: 'GET',
  path: '/oauth/authorize/native',
  summary: 'Show an authorization code for copying',
  auth: 'public',
  scopes: [],
  page: true,
  params: { code: param.string({ missing: 400 }) },
  returns: 'text/html',
  async handle({ code }, context) {
    const visit = await openVisit(context)
    if (!visit.viewer) return redirect('/auth/sign_in')
    const body = html`<h1>Your authorization code</h1>
      <p>Copy this code and paste it into the application. It is good for ten minutes.</p>
      <div class="field">
        <label for="code">Authorization code</label>
        <input id="code" class="code" type="text" value="${code}" readonly autofocus />
      </div>
      <p class="quiet">In full, for phones: a tap selects it.</p>
      <p class="code whole">${code}</p>`
    return pageAnswer(context, visit, { title: 'Authorization code', body })
  },
})
