import { c, query } from '../platform/database/index.ts'
import { Response, operation } from '../platform/http/index.ts'

const findColours = query('instance/role_colours', {}, { id: c.id, color: c.text })

const MONTH = { 'Cache-Control': 'public, max-age=2629746' } as const

/** The administrator's styles, after the colors of the roles shown on profiles. */
export const customStyle = operation({
  method: 'GET',
  path: ['/custom.css', '/css/:id'],
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  params: {},
  returns: 'text/css',
  summary: "Show the server's own styles and the colours of its roles",
  cache: 'handler',
  async handle(_, { database, settings }) {
    const roles = await database.run(findColours, {})
    const colours = roles.map(({ id, color }) => `.user-role-${id} {\n  --user-role-accent: ${color};\n}\n`)
    return new Response(200, 'text/css; charset=utf-8', colours.join('\n') + settings.get('custom_css'), MONTH)
  },
})
