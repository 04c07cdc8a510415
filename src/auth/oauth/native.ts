import { operation, param, redirect } from '../../platform/http/index.ts'
import { html, pageAnswer } from '../../platform/ui/index.ts'
import { openWebSession } from '../sessions/index.ts'

/** Shows the code to users of applications without a redirect URI. */
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
    const visit = await openWebSession(context)
    if (!visit.viewer) return redirect('/auth/sign_in')
    const { t: say } = visit.speaker
    const body = html`<h1>${say('consent.code.title')}</h1>
      <p>${say('consent.code.intro')}</p>
      <div class="field">
        <label for="code">${say('consent.code.label')}</label>
        <input id="code" class="code" type="text" value="${code}" readonly autofocus />
      </div>
      <p class="quiet">${say('consent.code.whole')}</p>
      <p class="code whole">${code}</p>`
    return pageAnswer(context, visit, { title: say('consent.code.title'), body })
  },
})
