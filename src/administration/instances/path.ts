/** The path of the list of servers. */
export const INSTANCES_PATH = '/admin/instances'
