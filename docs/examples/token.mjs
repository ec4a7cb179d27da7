/** Keeps an access token. Asks for another in the last tenth of its life, and when the service refused it. */
export const renewing = ({ tokenUrl, clientId, clientSecret }) => {
  let kept = { renewFrom: 0, expires: 0 };
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
    const now = Date.now();
    kept = { token, renewFrom: now + seconds * 900, expires: now + seconds * 1000 };
  };
  return async (refused) => {
    const isRefused = kept.token === refused;
    if (isRefused || Date.now() >= kept.renewFrom) {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      // Until it expires, the old token serves while the issuer gives no other one.
      await asking.catch((error) => {
        if (isRefused || Date.now() >= kept.expires) throw error;
      });
    }
    return kept.token;
  };
};
