/** Keeps an access token. Asks for another in the last tenth of its life, and when the service refused it. */
export const renewing = ({ tokenUrl, clientId, clientSecret }) => {
  let kept = { until: 0 };
  let asking;
  const ask = async () => {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const isFinal = !response.ok && response.status < 500 && response.status !== 429;
    if (!response.ok) throw Object.assign(new Error(`no token: status ${response.status}`), { isFinal });
    const { access_token: token, expires_in: seconds } = await response.json();
    kept = { token, until: Date.now() + seconds * 900 };
  };
  return async (refused) => {
    if (Date.now() >= kept.until || kept.token === refused) {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    }
    return kept.token;
  };
};
