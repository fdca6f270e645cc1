// Forms that use a passkey; they stay hidden on devices without one.
const passkeyForms = document.querySelectorAll('form[data-passkey]');
if (passkeyForms.length > 0 && globalThis.PublicKeyCredential && isSecureContext) {
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer ?? [])))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const make = async ({ dataset, elements }) => {
    // A new account has typed its address into the form.
    const address = dataset.email ?? elements.email.value;
    const { response } = await navigator.credentials.create({
      publicKey: {
        challenge: bytes(dataset.challenge),
        rp: { id: dataset.party, name: 'Regimen' },
        user: { id: bytes(dataset.account), name: address, displayName: address },
        pubKeyCredParams: [{ type: 'public-key', alg: -8 }, { type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
        excludeCredentials: dataset.known.split(' ').filter(Boolean)
          .map((id) => ({ type: 'public-key', id: bytes(id) })),
      },
    });
    return {
      'client-data': text(response.clientDataJSON), attestation: text(response.attestationObject),
    };
  };
  const sign = async ({ dataset }) => {
    const { rawId, response } = await navigator.credentials.get({
      publicKey: {
        challenge: bytes(dataset.challenge), rpId: dataset.party, userVerification: 'required',
      },
    });
    return {
      credential: text(rawId), 'client-data': text(response.clientDataJSON),
      'authenticator-data': text(response.authenticatorData), signature: text(response.signature),
      'user-handle': text(response.userHandle),
    };
  };
  for (const form of passkeyForms) {
    const trouble = form.querySelector('[data-trouble]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (form.dataset.sent) return;
      trouble.hidden = true;
      // The server checks the other fields before the device is asked.
      if ([...form.querySelectorAll('[aria-required]')].some(({ value }) => !value.trim())) {
        form.submit();
        return;
      }
      try {
        const answer = await (form.dataset.passkey === 'create' ? make(form) : sign(form));
        for (const [name, value] of Object.entries(answer)) form.elements[name].value = value;
        form.submit();
      } catch {
        // Cancelled, timed out, or no matching passkey: another way can be tried.
        trouble.hidden = false;
        delete form.dataset.sent;
        event.submitter?.removeAttribute('aria-disabled');
      }
    });
    form.hidden = false;
  }
} else {
  for (const note of document.querySelectorAll('[data-no-passkeys]')) note.hidden = false;
}
