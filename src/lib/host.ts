/** Removes the brackets that a URL puts around an IPv6 address: `[::1]` becomes `::1`. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
